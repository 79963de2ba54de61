package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rule, and a webhook's user with the shipped rights on the shard, for these types or others. */
class WebhookRightsIT {
  private static final ControllerTimings OFTEN =
      new ControllerTimings(
          ControllerEnvironment.TIMINGS.resyncPeriod(),
          ControllerEnvironment.TIMINGS.webhookUser(),
          ControllerEnvironment.TIMINGS.webhook(),
          ControllerEnvironment.TIMINGS.maxStaleness(),
          Duration.ofSeconds(1));

  private TestWorkspaces workspaces;
  private ControllerEnvironment env;

  @BeforeEach
  void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    env = ControllerEnvironment.prepare(workspaces);
    env.grantToController();
    env.writeRule("vpcs");
  }

  @AfterEach
  void stops() {
    workspaces.close();
  }

  @Test
  void aRuleNamesTheTypeThatTheWebhookMayNotReadUntilItIsGranted() throws IOException {
    workspaces.applyOnShards(shard("edge.example.corp", "gateways"));
    try (var kcp = env.connect();
        var controller = often(kcp)) {
      for (String type : List.of("Accepted", "Ready")) {
        env.awaitCondition(
            type,
            "False",
            "WebhookMayNotRead",
            "\"mooring:dependency-webhook\") may not get and list"
                + " virtualmachines.compute.example.com",
            "{apiGroups: [compute.example.com], resources: [virtualmachines]} to"
                + " kcpManifests.dependents");
      }
      assertThat(controller.acceptedRules()).isZero();

      workspaces.applyOnShards(shard("compute.example.com", "virtualmachines"));

      env.awaitCondition("Ready", "True", "Protected");
      assertThat(controller.acceptedRules()).isOne();
    }
  }

  /** Such a name is that of another user, or the manifests on the shard are of another release. */
  @Test
  void nothingIsConcludedFromAUserWithoutTheWebhooksRights() {
    try (var kcp = env.connect();
        var controller = often(kcp)) {
      env.awaitCondition("Ready", "True", "Protected");
      await().until(() -> controller.acceptedRules() == 1);
    }
  }

  private static DependencyController often(KubeConnection kcp) {
    return ControllerEnvironment.controller(
        SystemTime.clocks(), kcp, () -> ControllerEnvironment.SETTINGS, OFTEN, () -> true);
  }

  private static List<KubeObject> shard(String group, String resource) throws IOException {
    return Manifests.parse(
        Files.readString(ControllerEnvironment.KCP.resolve("rbac-shard-system-admin.yaml"))
            .replace("edge.example.corp", group)
            .replace("gateways", resource));
  }
}
