package dev.mooring.sandbox.kcp.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkspacePlannerTest {
  private static final String NOW = "2026-11-21T10:00:00Z";
  private static final int STEPS_MAX = 30;

  private static final KubeObject FRESH =
      KubeJson.readObject(
          """
          {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace",
           "metadata": {"name": "kid", "uid": "u1", "annotations": {
             "experimental.tenancy.kcp.io/owner": "{\\"username\\":\\"ann\\",\\"groups\\":[\\"g\\"]}"}},
           "spec": {"type": {"name": "universal", "path": "root"}},
           "status": {"phase": "Scheduling"}}
          """);

  private static final KubeObject UNIVERSAL =
      KubeJson.readObject(
          """
          {"metadata": {"name": "universal", "annotations": {"kcp.io/cluster": "root"}},
           "spec": {"initializer": true}}
          """);

  private static final ClusterContent GONE =
      new ClusterContent(
          ClusterContent.State.GONE, new TreeMap<>(), new TreeMap<>(), Optional.empty());

  private KubeObject workspace = FRESH;
  private Optional<KubeObject> cluster = Optional.empty();
  private Optional<WorkspacePlanner.Placement> shard =
      Optional.of(new WorkspacePlanner.Placement("root", "hash", ""));
  private final List<String> phases = new ArrayList<>();

  @Test
  void goesThroughThePhasesInOrder() {
    settle();

    assertThat(phases).containsExactly("Scheduling", "Initializing");
    assertThat(workspace.list("status", "initializers")).containsExactly("root:universal");
    assertThat(workspace.text("spec", "URL")).isEqualTo("https://kcp/clusters/root:kid");

    finishInitializer();
    settle();

    assertThat(phases).containsExactly("Scheduling", "Initializing", "Ready");
    assertThat(workspace.labels()).containsEntry(KcpNames.PHASE, "Ready");
    assertThat(workspace.at("status", "initializers")).isNull();
    assertThat(workspace.annotation(KcpNames.OWNER)).contains("{\"username\":\"ann\"}");
  }

  /** Watchers wait for each phase, and kcp never leaves one out. */
  @Test
  void isInitializingBeforeItIsReadyAlsoWhereItsClusterWasReadyFirst() {
    while (cluster.isEmpty() || cluster.get().text("status", "phase").isEmpty()) {
      step();
      cluster = cluster.map(this::settled);
    }
    finishInitializer();
    settle();

    assertThat(phases).containsExactly("Scheduling", "Initializing", "Ready");
  }

  private KubeObject settled(KubeObject cluster) {
    KubeObject settled = cluster;
    for (int i = 0; i < STEPS_MAX; i++) {
      switch (LogicalClusterPlanner.next(settled, Map.of(), ClusterContent.kept(), NOW)) {
        case WorkspaceStep.Update(KubeObject after) -> settled = after;
        case WorkspaceStep _ -> {
          return settled;
        }
      }
    }
    throw new AssertionError("does not settle");
  }

  @Test
  void choosesAgainWhenTheNameIsTaken() {
    step();
    step();
    cluster = Optional.of(clusterOf(FRESH.with("other", "metadata", "uid")));

    assertThat(next()).isInstanceOf(WorkspaceStep.ChooseAgain.class);
  }

  /** As a Workspace that was created with the annotation, or whose Shard was deleted. */
  @Test
  void isUnavailableAsLongAsTheChosenShardDoesNotExist() {
    shard = Optional.empty();
    workspace = workspace.with("gone", "metadata", "annotations", KcpNames.SHARD);
    settle();

    assertThat(phases).last().isEqualTo("Unavailable");
    assertThat(workspace.list("status", "conditions").toString())
        .contains(
            "chosen shard \"gone\" does not exist anymore: shard.core.kcp.io \"gone\" not found");

    shard = Optional.of(new WorkspacePlanner.Placement("gone", "hash", ""));
    settle();
    finishInitializer();
    settle();

    assertThat(phases)
        .containsExactly("Scheduling", "Unavailable", "Scheduling", "Initializing", "Ready");
    shard = Optional.empty();
    settle();

    assertThat(phases).last().isEqualTo("Unavailable");
    shard = Optional.of(new WorkspacePlanner.Placement("gone", "hash", ""));
    settle();

    assertThat(phases).last().isEqualTo("Ready");
  }

  @Test
  void leavesOnlyBehindItsCluster() {
    settle();
    workspace = workspace.with(NOW, "metadata", "deletionTimestamp");
    settle();

    assertThat(workspace.finalizers()).containsExactly(KcpNames.WORKSPACE_FINALIZER);
    assertThat(cluster).get().matches(KubeObject::deleting);

    cluster = Optional.empty();
    settle();

    assertThat(workspace.finalizers()).isEmpty();
  }

  @Test
  void keepsAClusterUntilItIsEmpty() {
    KubeObject deleting =
        clusterOf(FRESH)
            .with(NOW, "metadata", "deletionTimestamp")
            .with("Deleting", "status", "phase")
            .with("Deleting", "metadata", "labels", KcpNames.PHASE);

    assertThat(LogicalClusterPlanner.next(deleting, Map.of(), ClusterContent.kept(), NOW))
        .isEqualTo(new WorkspaceStep.Await());
    assertThat(LogicalClusterPlanner.next(deleting, Map.of(), GONE, NOW))
        .isEqualTo(new WorkspaceStep.Update(deleting.without("metadata", "finalizers")));
  }

  @Test
  void saysWhatIsLeftOfACluster() {
    KubeObject deleting =
        clusterOf(FRESH)
            .with(NOW, "metadata", "deletionTimestamp")
            .with("Deleting", "metadata", "labels", KcpNames.PHASE)
            .with("Deleting", "status", "phase");
    var left =
        new ClusterContent(
            ClusterContent.State.PRESENT,
            new TreeMap<>(Map.of("widgets.a.io", 2, "namespaces.", 1)),
            new TreeMap<>(Map.of("a.io/hold", 2)),
            Optional.of("denied"));

    assertThat(LogicalClusterPlanner.next(deleting, Map.of(), left, NOW))
        .extracting(step -> ((WorkspaceStep.Update) step).object().list("status", "conditions"))
        .isEqualTo(
            List.of(
                Map.of(
                    "type",
                    "WorkspaceContentDeleted",
                    "status",
                    "False",
                    "severity",
                    "Info",
                    "reason",
                    "SomeResourcesRemain",
                    "message",
                    "Some resources are remaining: namespaces. has 1 resource instances, widgets.a.io"
                        + " has 2 resource instances; Some content in the logical cluster has"
                        + " finalizers remaining: a.io/hold in 2 resource instances",
                    "lastTransitionTime",
                    NOW)));
  }

  @Test
  void isTerminatingWhileItListsTerminators() {
    KubeObject deleting =
        clusterOf(FRESH)
            .with(NOW, "metadata", "deletionTimestamp")
            .with(List.of("root:slow"), "status", "terminators");

    KubeObject settled = settled(deleting);

    assertThat(settled.text("status", "phase")).isEqualTo("Terminating");
    assertThat(settled.hasFinalizer(KcpNames.TERMINATOR_FINALIZER)).isTrue();

    KubeObject released = settled(settled.without("status", "terminators"));

    assertThat(released.text("status", "phase")).isEqualTo("Deleting");
    assertThat(released.finalizers()).containsExactly(KcpNames.CLUSTER_FINALIZER);
  }

  @Test
  void labelsAClusterForEachPendingController() {
    KubeObject cluster = clusterOf(FRESH);

    assertThat(
            LogicalClusterPlanner.next(
                cluster,
                Map.of("initializer.internal.kcp.io/x", "xyz"),
                ClusterContent.kept(),
                NOW))
        .extracting(step -> ((WorkspaceStep.Update) step).object().labels())
        .isEqualTo(Map.of(KcpNames.PHASE, "Initializing", "initializer.internal.kcp.io/x", "xyz"));
    assertThat(
            LogicalClusterPlanner.next(
                cluster.with("gone", "metadata", "labels", "terminator.internal.kcp.io/y"),
                Map.of(),
                ClusterContent.kept(),
                NOW))
        .extracting(step -> ((WorkspaceStep.Update) step).object().labels())
        .isEqualTo(Map.of(KcpNames.PHASE, "Initializing"));
  }

  private void finishInitializer() {
    KubeObject done =
        LogicalClusterPlanner.withoutInitializer(cluster.orElseThrow(), "root:universal");
    cluster = Optional.of(settled(done));
  }

  private void settle() {
    for (int i = 0; i < STEPS_MAX; i++) {
      if (step() instanceof WorkspaceStep.Await) {
        return;
      }
    }
    throw new AssertionError("does not settle");
  }

  private WorkspaceStep step() {
    WorkspaceStep step = next();
    switch (step) {
      case WorkspaceStep.Update(KubeObject after) -> workspace = after;
      case WorkspaceStep.ChooseAgain(KubeObject after) -> workspace = after;
      case WorkspaceStep.CreateCluster(KubeObject of) -> cluster = Optional.of(clusterOf(of));
      case WorkspaceStep.DeleteCluster _ ->
          cluster = cluster.map(c -> c.with(NOW, "metadata", "deletionTimestamp"));
      case WorkspaceStep.Await _ -> {}
    }
    String phase = workspace.text("status", "phase");
    if (phases.isEmpty() || !phases.getLast().equals(phase)) {
      phases.add(phase);
    }
    return step;
  }

  private WorkspaceStep next() {
    return WorkspacePlanner.next(
        new WorkspacePlanner.Facts(
            workspace, cluster, "https://kcp/clusters/root:kid", shard, "c1", NOW));
  }

  private static KubeObject clusterOf(KubeObject workspace) {
    return LogicalClusterPlanner.forWorkspace(
        workspace,
        new LogicalCluster("root"),
        new WorkspacePath("root:kid"),
        new TypeReference("root", "universal"),
        List.of(UNIVERSAL),
        "https://kcp/clusters/c1");
  }
}
