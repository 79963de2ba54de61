package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.SelectorRules;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.Await;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.ChooseAgain;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.CreateCluster;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.DeleteCluster;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.Update;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes a Workspace from its creation to Ready and away again, in the order in which kcp does:
 *
 * <ol>
 *   <li>phase label, then cluster name, shard and finalizer in one write;
 *   <li>the LogicalCluster, then {@code spec.cluster} and {@code spec.URL};
 *   <li>Initializing, with the initializers that the LogicalCluster still has;
 *   <li>Ready, when it has none.
 * </ol>
 *
 * The phase label follows the phase by one write.
 */
public final class WorkspacePlanner {
  public static final String SCHEDULED = "WorkspaceScheduled";
  public static final String INITIALIZED = "WorkspaceInitialized";

  /**
   * All that was read.
   *
   * @param cluster the LogicalCluster in the chosen cluster; empty if there is none
   * @param url where the workspace is to be reached, by its canonical path
   * @param shard where the cluster is or will be; empty if no shard may have it, or the chosen one
   *     does not exist any more
   * @param candidate a fresh cluster name, in case one is needed
   * @param now RFC 3339
   */
  public record Facts(
      KubeObject workspace,
      Optional<KubeObject> cluster,
      String url,
      Optional<Placement> shard,
      String candidate,
      String now) {}

  /**
   * A shard.
   *
   * @param hash of its name, as the annotation holds it
   * @param region its label; empty if it has none
   */
  public record Placement(String shard, String hash, String region) {}

  private WorkspacePlanner() {}

  public static WorkspaceStep next(Facts facts) {
    KubeObject workspace = facts.workspace;
    if (workspace.deleting()) {
      return leave(facts);
    }
    Optional<KubeObject> labelled = labelled(workspace);
    if (labelled.isPresent()) {
      return new Update(labelled.get());
    }
    if (workspace.annotation(KcpNames.CHOSEN_CLUSTER).isEmpty()
        || !workspace.hasFinalizer(KcpNames.WORKSPACE_FINALIZER)) {
      return facts
          .shard
          .<WorkspaceStep>map(shard -> new Update(chosen(facts, shard)))
          .orElseGet(() -> unschedulable(facts));
    }
    if (facts.shard.isEmpty()) {
      return unschedulable(facts);
    }
    if (workspace.text("spec", "cluster").isEmpty()) {
      return place(facts);
    }
    if (facts.cluster.isEmpty()) {
      return new Await();
    }
    KubeObject after = followed(facts, facts.cluster.get());
    if (!after.equals(workspace)) {
      return new Update(after);
    }
    KubeObject trimmed = trimmedOwner(workspace);
    return trimmed.equals(workspace) ? new Await() : new Update(trimmed);
  }

  private static Optional<KubeObject> labelled(KubeObject object) {
    String phase = object.text("status", "phase");
    boolean ready = phase.equals("Ready");
    if (phase.isEmpty() || phase.equals(object.labels().get(KcpNames.PHASE))) {
      return Optional.empty();
    }
    KubeObject labelled = object.with(phase, "metadata", "labels", KcpNames.PHASE);
    return Optional.of(ready ? trimmedOwner(labelled) : labelled);
  }

  /** Tried again when a shard comes or changes. */
  private static WorkspaceStep unschedulable(Facts facts) {
    KubeObject after =
        Conditions.unmet(
                facts.workspace,
                SCHEDULED,
                Severity.ERROR,
                "Unschedulable",
                unschedulableMessage(facts.workspace),
                facts.now)
            .with("Unavailable", "status", "phase");
    return after.equals(facts.workspace) ? new Await() : new Update(after);
  }

  private static String unschedulableMessage(KubeObject workspace) {
    Optional<String> chosen = workspace.annotation(KcpNames.SHARD);
    if (chosen.isPresent()) {
      return "chosen shard \"%1$s\" does not exist anymore: shard.core.kcp.io \"%1$s\" not found"
          .formatted(chosen.get());
    }
    return SelectorRules.obstacle(workspace.at("spec", "location", "selector"))
        .map(obstacle -> "spec.location.selector is invalid: " + obstacle)
        .orElse("No available shards to schedule the workspace");
  }

  private static KubeObject chosen(Facts facts, Placement shard) {
    KubeObject chosen =
        facts
            .workspace
            .with(shard.shard, "metadata", "annotations", KcpNames.SHARD)
            .with(shard.hash, "metadata", "annotations", KcpNames.CHOSEN_SHARD);
    if (!shard.region.isEmpty()) {
      chosen = chosen.with(shard.region, "metadata", "labels", "region");
    }
    chosen = scheduling(chosen);
    if (chosen.annotation(KcpNames.CHOSEN_CLUSTER).isEmpty()) {
      chosen = chosen.with(facts.candidate, "metadata", "annotations", KcpNames.CHOSEN_CLUSTER);
    }
    return chosen.hasFinalizer(KcpNames.WORKSPACE_FINALIZER)
        ? chosen
        : chosen.withFinalizer(KcpNames.WORKSPACE_FINALIZER);
  }

  private static WorkspaceStep place(Facts facts) {
    if (facts.cluster.isEmpty()) {
      return new CreateCluster(facts.workspace);
    }
    if (!owns(facts.workspace, facts.cluster.get())) {
      return new ChooseAgain(Annotations.without(facts.workspace, KcpNames.CHOSEN_CLUSTER));
    }
    String name = facts.workspace.annotation(KcpNames.CHOSEN_CLUSTER).orElseThrow();
    return new Update(
        scheduling(facts.workspace).with(name, "spec", "cluster").with(facts.url, "spec", "URL"));
  }

  /** Not unavailable any more. */
  private static KubeObject scheduling(KubeObject workspace) {
    return workspace.text("status", "phase").equals("Unavailable")
        ? workspace.with("Scheduling", "status", "phase")
        : workspace;
  }

  /** Whether the LogicalCluster was made for this very Workspace. */
  public static boolean owns(KubeObject workspace, KubeObject cluster) {
    return workspace.uid().equals(cluster.text("spec", "owner", "uid"));
  }

  private static KubeObject followed(Facts facts, KubeObject cluster) {
    KubeObject scheduled =
        withTerminators(Conditions.met(facts.workspace, SCHEDULED, facts.now), cluster);
    String phase = cluster.text("status", "phase");
    List<String> begun = List.of("Initializing", "Ready", "Inactive");
    if (!begun.contains(phase)) {
      // The cluster does not initialize yet, or it is on its way out.
      return facts.workspace;
    }
    String own = facts.workspace.text("status", "phase");
    if (own.equals("Ready") || own.equals("Unavailable")) {
      return available(scheduled);
    }
    if (!begun.contains(own)) {
      // Also if the cluster was ready first: kcp leaves no phase out.
      return scheduled.with("Initializing", "status", "phase");
    }
    return phase.equals("Initializing")
        ? initializing(scheduled, cluster, facts.now)
        : Conditions.met(scheduled, INITIALIZED, facts.now)
            .without("status", "initializers")
            .with("Ready", "status", "phase");
  }

  /**
   * A workspace is unavailable as long as a condition whose type begins with {@code Workspace} is
   * not met.
   */
  public static KubeObject available(KubeObject workspace) {
    boolean unmet =
        workspace.list("status", "conditions").stream()
            .anyMatch(condition ->
                "False".equals(Trees.at(condition, "status"))
                    && Trees.text(condition, "type").startsWith("Workspace"));
    return switch (workspace.text("status", "phase")) {
      case "Terminating", "Deleting" -> workspace;
      case "Unavailable" -> unmet ? workspace : workspace.with("Ready", "status", "phase");
      default -> unmet ? workspace.with("Unavailable", "status", "phase") : workspace;
    };
  }

  private static KubeObject initializing(KubeObject workspace, KubeObject cluster, String now) {
    List<Object> initializers = cluster.list("status", "initializers");
    if (initializers.isEmpty()) {
      return workspace;
    }
    return LogicalClusterPlanner.uninitialized(workspace, initializers, now)
        .with(initializers, "status", "initializers");
  }

  /** Once ready only the owner's name is kept: groups would be stale from then on. */
  static KubeObject trimmedOwner(KubeObject workspace) {
    if (!workspace.text("status", "phase").equals("Ready")) {
      return workspace;
    }
    return workspace
        .annotation(KcpNames.OWNER)
        .map(KubeJson::read)
        .map(owner -> Trees.text(owner, "username"))
        .map(name -> KubeJson.writeText(Map.of("username", name)))
        .map(owner -> workspace.with(owner, "metadata", "annotations", KcpNames.OWNER))
        .orElse(workspace);
  }

  private static WorkspaceStep leave(Facts facts) {
    KubeObject workspace = facts.workspace;
    if (!workspace.hasFinalizer(KcpNames.WORKSPACE_FINALIZER)) {
      return new Await();
    }
    Optional<KubeObject> own = facts.cluster.filter(cluster -> owns(workspace, cluster));
    KubeObject after = leaving(workspace, own);
    if (!after.equals(workspace)) {
      return new Update(after);
    }
    Optional<KubeObject> labelled = labelled(workspace);
    if (labelled.isPresent()) {
      return new Update(labelled.get());
    }
    // Finalizers of others hold the logical cluster, too.
    if (workspace.finalizers().size() > 1) {
      return new Await();
    }
    if (own.isEmpty()) {
      return new Update(workspace.withoutFinalizer(KcpNames.WORKSPACE_FINALIZER));
    }
    return own.get().deleting() ? new Await() : new DeleteCluster();
  }

  /** Follows the cluster on its way out: its terminators, and what is left of its content. */
  private static KubeObject leaving(KubeObject workspace, Optional<KubeObject> cluster) {
    boolean terminating =
        cluster.filter(own -> !Lifecycle.TERMINATING.pending(own).isEmpty()).isPresent();
    KubeObject after = workspace.with(terminating ? "Terminating" : "Deleting", "status", "phase");
    return cluster
        .map(own -> Conditions.copied(withTerminators(after, own), own, ClusterContent.DELETED))
        .orElse(after);
  }

  private static KubeObject withTerminators(KubeObject workspace, KubeObject cluster) {
    List<String> terminators = Lifecycle.TERMINATING.pending(cluster);
    return terminators.isEmpty()
        ? workspace.without("status", "terminators")
        : workspace.with(terminators, "status", "terminators");
  }
}
