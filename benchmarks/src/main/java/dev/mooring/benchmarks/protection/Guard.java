package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.protection.ProtectionStage.Consumer;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.net.URI;
import java.util.Base64;
import java.util.Map;

/**
 * Has kcp ask a webhook before anything protected is deleted, as the dependency controller would.
 * It is in force before the webhook runs: what the webhook allows is then its own mistake.
 */
record Guard(KubeClient provider, KubeObject configuration) implements AutoCloseable {
  static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

  /** Deletions of the mode's type fail in every consumer's workspace when this returns. */
  static Guard install(
      ProtectionStage stage, Mode mode, URI webhook, ServingCertificate certificate) {
    KubeClient provider = stage.network().client();
    KubeObject configuration =
        Manifests.ofResource(
                "/protection-benchmark/guard.yaml",
                Map.of(
                    "url", webhook.toString(),
                    "bundle", Base64.getEncoder().encodeToString(certificate.authorityPem()),
                    "resource", mode.target.resource()))
            .getFirst();
    provider.create(CONFIGURATIONS, configuration);
    for (Consumer consumer : stage.consumers()) {
      Waiting.await(
          "kcp asks the webhook about deletions in " + consumer.workspace().path(),
          () -> fails(consumer, mode));
    }
    return new Guard(provider, configuration);
  }

  @Override
  public void close() {
    provider.delete(CONFIGURATIONS, "", configuration.name(), new DeleteCondition.Unconditional());
  }

  private static boolean fails(Consumer consumer, Mode mode) {
    try {
      consumer
          .client()
          .delete(
              mode.target,
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
        .create(mode.target, ProtectionStage.target(mode.target, mode.kind, ProtectionStage.TAKEN));
    return false;
  }
}
