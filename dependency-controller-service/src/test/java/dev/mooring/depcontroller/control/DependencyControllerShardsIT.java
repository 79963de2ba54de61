package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.Shard;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox with two shards, which workspaces are spread over. */
@Tag("full")
class DependencyControllerShardsIT extends DependencyControllerContract {
  @BeforeAll
  static void starts(@TempDir Path directory) {
    enter(TestWorkspaces.onSandbox(ServerOptions.in(directory).withPort(0).withShards(2)));
  }

  /**
   * What a slice that is made anew does for a moment is held here for as long as the controller
   * takes to write: it lists the target's shard, and not yet that of the rule.
   */
  @Test
  void goesOnByTheRulesOfAShardThatItsSliceDoesNotListYet() {
    String shard = workspaces.shard(network);
    WorkspacePath here = author(shard::equals);
    WorkspacePath elsewhere = author(other -> !other.equals(shard));
    bind(network);
    workspaces.create(elsewhere, DependencyRule.TYPE, rule("elsewhere", "vpcs"));
    awaitProtected("vpcs");
    String url = endpointOf(workspaces.cluster(network));

    KubeClient slices = workspaces.client(dependencies);
    // kcp looks after no slice that is going.
    finalizers(List.of("example.com/held"));
    slices.delete(SLICES, "", EXPORT, new DeleteCondition.Unconditional());
    slices.patchStatus(
        SLICES, "", EXPORT, Map.of("status", Map.of("endpoints", List.of(Map.of("url", url)))));
    try {
      await().until(() -> listsOnly(url));
      workspaces.create(here, DependencyRule.TYPE, rule("here", "subnets"));

      awaitProtected("subnets", "vpcs");
    } finally {
      finalizers(List.of());
    }
    await().until(() -> endpoints().size() == 2);
  }

  @Test
  void keepsWhatRulesOfADeadShardProtectAndFollowsThemOnceItIsBack() {
    network = target("root"::equals);
    WorkspacePath staying = author("root"::equals);
    WorkspacePath dying = author("shard-1"::equals);
    bind(network);
    workspaces.create(dying, DependencyRule.TYPE, rule("dying", "vpcs"));
    awaitProtected("vpcs");
    Shard shard = workspaces.sandbox().shard("shard-1");

    shard.kill();
    try {
      workspaces.create(staying, DependencyRule.TYPE, rule("staying", "subnets"));
      awaitProtected("subnets", "vpcs");
    } finally {
      shard.start();
    }

    await().ignoreExceptions().until(() -> isGone(dying, "dying"));
    awaitProtected("subnets");
    workspaces.create(dying, DependencyRule.TYPE, rule("new", "vpcs"));
    awaitProtected("subnets", "vpcs");
  }

  private static boolean isGone(WorkspacePath in, String rule) {
    workspaces.delete(in, DependencyRule.TYPE, "", rule);
    return workspaces.client(in).find(DependencyRule.TYPE, "", rule).isEmpty();
  }

  private static void finalizers(List<String> finalizers) {
    workspaces.patch(
        dependencies, SLICES, "", EXPORT, Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  /** Whether this is the only endpoint that the controller takes for listed. */
  private boolean listsOnly(String url) {
    return controller.overview().endpoints().entrySet().stream()
        .filter(endpoint -> !Boolean.FALSE.equals(Trees.at(endpoint.getValue(), "listed")))
        .map(Map.Entry::getKey)
        .toList()
        .equals(List.of(url));
  }

  /** The one that shows a provider's configuration. */
  private static String endpointOf(LogicalCluster provider) {
    return endpoints().stream()
        .filter(url ->
            kcp
                .client(URI.create(url + "/clusters/*"))
                .list(ProviderWorkspaceReconciler.CONFIGURATIONS, ListQuery.ALL)
                .items()
                .stream()
                .anyMatch(shown -> shown.logicalCluster().equals(Optional.of(provider))))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> endpoints() {
    return slice().stream()
        .flatMap(slice -> slice.list("status", "endpoints").stream())
        .map(endpoint -> Trees.textOrEmpty(Trees.at(endpoint, "url")))
        .toList();
  }
}
