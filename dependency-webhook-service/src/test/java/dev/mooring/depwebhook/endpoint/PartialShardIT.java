package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.fault.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Deletions in a workspace of which the webhook's server shows less than there is: because the
 * shard is starting, or because it is another shard than the workspace's.
 */
class PartialShardIT extends OnWebhookEnvironment {
  private static Path files;

  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    files = directory;
    land = WebhookEnvironment.onSandbox(directory, 2);
    land.usualRules();
    for (WorkspacePath in : land.consumers) {
      land.create(in, VPCS, "default", "used", "");
      land.create(in, VPCS, "default", "free", "");
      land.create(in, MACHINES, "default", "vm-used", "used");
    }
  }

  /** As measured on kcp 0.32.3, for 4 to 7 s after a shard accepts requests. */
  @Test
  void aShardThatDoesNotServeBoundTypesYetLetsNothingGo() throws Exception {
    ConfigurableApplicationContext service = land.serve(2);
    assertThat(decision(service, land.consumer, "used"))
        .returns(Outcome.DENIED, AdmissionDecision::outcome);

    land.workspaces.sandbox().faults().inject(Fault.STARTING_SHARD, 1);
    try {
      assertThat(decision(service, land.consumer, "used"))
          .returns(Outcome.LOOKUP_FAILED, AdmissionDecision::outcome);
      assertThat(decision(service, land.consumer, "free"))
          .returns(Outcome.LOOKUP_FAILED, AdmissionDecision::outcome);
      assertThat(land.workspaces.sandbox().faults().injected(Fault.STARTING_SHARD)).isPositive();
    } finally {
      land.workspaces.sandbox().faults().reset();
    }

    assertThat(decision(service, land.consumer, "used"))
        .returns(Outcome.DENIED, AdmissionDecision::outcome);
    assertThat(decision(service, land.consumer, "free")).isInstanceOf(Allowed.class);
  }

  /** For members of system:masters a shard has every workspace, and nothing is in it. */
  @Test
  void aShardThatDoesNotHaveTheWorkspaceLetsNothingGoThere() throws Exception {
    ConfigurableApplicationContext service =
        land.serveBy(masterOfTheDependenciesShard(), "local", 2);

    assertThat(decision(service, land.consumer, "used"))
        .returns(Outcome.DENIED, AdmissionDecision::outcome);
    assertThat(decision(service, land.consumer, "free")).isInstanceOf(Allowed.class);
    assertThat(decision(service, land.other, "used"))
        .returns(Outcome.LOOKUP_FAILED, AdmissionDecision::outcome);
    assertThat(decision(service, land.other, "free"))
        .returns(Outcome.LOOKUP_FAILED, AdmissionDecision::outcome)
        .isInstanceOfSatisfying(
            Denied.class,
            unready ->
                assertThat(unready.refusal().message())
                    .contains("the server does not have this logical cluster"));
  }

  private static AdmissionDecision decision(
      ConfigurableApplicationContext service, WorkspacePath in, String vpc) {
    LogicalCluster cluster = land.workspaces.cluster(in);
    return service
        .getBean(FactGatherer.class)
        .explain(
            new Target(GroupResource.of(VPCS), new ObjectKey(cluster, "default", vpc)),
            vpc(vpc),
            Optional.of(land.workspaces.cluster(land.network)))
        .decision();
  }

  private static KubeObject vpc(String name) {
    return KubeObject.of(
        Map.of("kind", "VPC", "metadata", Map.of("namespace", "default", "name", name)));
  }

  private static Path masterOfTheDependenciesShard() throws Exception {
    String shard = land.workspaces.shard(land.dependencies);
    String url =
        land.workspaces.sandbox().shards().get(shard)
            + "/clusters/"
            + land.workspaces.cluster(land.dependencies).name();
    String given = Files.readString(land.workspaces.sandbox().kubeconfigFile());
    return Files.writeString(
        files.resolve("master.kubeconfig"),
        given
            .replaceAll("(?m)server: .*$", "server: " + url)
            .replaceAll("(?m)current-context: .*$", "current-context: shard-base"));
  }
}
