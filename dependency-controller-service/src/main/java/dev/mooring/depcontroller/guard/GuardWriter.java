package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.GuardPlan;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes plans: one conditional write each. */
final class GuardWriter {
  static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

  private static final Logger LOG = LoggerFactory.getLogger(GuardWriter.class);

  private GuardWriter() {}

  static void execute(GuardPlan plan, LogicalCluster provider, KubeClient writer) {
    switch (plan) {
      case GuardPlan.InSync() -> {}
      case GuardPlan.Create(var configuration) -> {
        writer.create(CONFIGURATIONS, configuration);
        LOG.info("Created the webhook configuration in provider {}", provider);
      }
      case GuardPlan.Replace(var configuration) -> {
        writer.update(CONFIGURATIONS, configuration);
        LOG.info("Updated the webhook configuration in provider {}", provider);
      }
      case GuardPlan.Remove(var uid, var version) -> {
        delete(writer, uid, version);
        LOG.info("Removed the webhook configuration from provider {}", provider);
      }
    }
  }

  private static void delete(KubeClient writer, String uid, String version) {
    try {
      writer.delete(
          CONFIGURATIONS,
          "",
          GuardSettings.CONFIGURATION,
          new DeleteCondition.Unchanged(uid, version));
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.NOT_FOUND) {
        throw failure;
      }
    }
  }
}
