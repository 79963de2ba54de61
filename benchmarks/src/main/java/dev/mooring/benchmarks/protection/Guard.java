package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Has kcp ask a webhook before anything protected is deleted, as the dependency controller would.
 * It is in force before the webhook runs: what the webhook allows is then its own mistake.
 */
final class Guard implements AutoCloseable {
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
  private static final String NAME = "dependency-controller";

  private final KubeClient provider;

  private Guard(KubeClient provider) {
    this.provider = provider;
  }

  /** Deletions of the mode's type fail in every consumer's workspace when this returns. */
  static Guard install(
      ProtectionStage stage, Mode mode, URI webhook, ServingCertificate certificate) {
    var guard = new Guard(stage.networkProvider());
    guard.provider.create(
        CONFIGURATIONS,
        Manifests.ofResource(
                "/protection-benchmark/guard.yaml",
                Map.of(
                    "url", webhook.toString(),
                    "bundle", Base64.getEncoder().encodeToString(certificate.authorityPem()),
                    "resource", mode.target().resource()))
            .getFirst());
    for (Consumer consumer : stage.consumers()) {
      Patience.await(
          "kcp asks the webhook about deletions in " + consumer.name(),
          () -> fails(consumer, mode) ? Optional.of(consumer) : Optional.empty());
    }
    return guard;
  }

  @Override
  public void close() {
    provider.delete(CONFIGURATIONS, "", NAME, new DeleteCondition.Unconditional());
  }

  private static boolean fails(Consumer consumer, Mode mode) {
    try {
      consumer
          .client()
          .delete(
              mode.target(),
              ProtectionStage.NAMESPACE,
              ProtectionStage.TAKEN,
              new DeleteCondition.Unconditional());
    } catch (KubeFailure e) {
      if (e.getMessage().contains("failed calling webhook")) {
        return true;
      }
      throw e;
    }
    consumer
        .client()
        .create(
            mode.target(),
            ProtectionStage.target(mode.target(), mode.kind(), ProtectionStage.TAKEN));
    return false;
  }
}
