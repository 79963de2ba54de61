package dev.mooring.sandbox.kcp.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private KubeObject workspace = FRESH;
  private Optional<KubeObject> cluster = Optional.empty();
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
      switch (LogicalClusterPlanner.next(settled, Content.PRESENT, NOW)) {
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

    assertThat(LogicalClusterPlanner.next(deleting, Content.PRESENT, NOW))
        .isEqualTo(new WorkspaceStep.Await());
    assertThat(LogicalClusterPlanner.next(deleting, Content.GONE, NOW))
        .isEqualTo(new WorkspaceStep.Update(deleting.without("metadata", "finalizers")));
  }

  private void finishInitializer() {
    KubeObject done =
        LogicalClusterPlanner.withoutInitializer(cluster.orElseThrow(), "root:universal");
    switch (LogicalClusterPlanner.next(done, Content.PRESENT, NOW)) {
      case WorkspaceStep.Update(KubeObject after) -> cluster = Optional.of(after);
      case WorkspaceStep other -> throw new AssertionError("unexpected " + other);
    }
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
            workspace, cluster, "https://kcp/clusters/root:kid", "root", "hash", "c1", NOW));
  }

  private static KubeObject clusterOf(KubeObject workspace) {
    return LogicalClusterPlanner.forWorkspace(
        workspace,
        new LogicalCluster("root"),
        new WorkspacePath("root:kid"),
        new TypeReference("root", "universal"),
        List.of("root:universal"),
        "https://kcp/clusters/c1");
  }
}
