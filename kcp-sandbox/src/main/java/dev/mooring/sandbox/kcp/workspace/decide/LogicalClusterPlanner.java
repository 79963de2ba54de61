package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.Await;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceStep.Update;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Plans the life of a LogicalCluster: Initializing until its last initializer is removed, then
 * Ready; while it is being deleted, Terminating until its last terminator is removed, then Deleting
 * until its content is gone. Labels follow by one write.
 */
public final class LogicalClusterPlanner {
  private static final ResourceType CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  /** The phase of a LogicalCluster that serves nothing until an annotation is removed. */
  public static final String INACTIVE = "Inactive";

  private static final String READY = "Ready";
  private static final Set<String> BEGUN = Set.of(READY, INACTIVE);

  private LogicalClusterPlanner() {}

  /**
   * The object that makes a workspace's cluster.
   *
   * @param path canonical
   * @param type as {@code path:name}
   * @param types that type and all it extends, as {@link WorkspaceTypes#withExtended} has them
   * @param url by name, not by path
   */
  public static KubeObject forWorkspace(
      KubeObject workspace,
      LogicalCluster parent,
      WorkspacePath path,
      TypeReference type,
      List<KubeObject> types,
      String url) {
    List<String> initializers = WorkspaceTypes.initializers(types);
    List<String> terminators = WorkspaceTypes.terminators(types);
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(KcpNames.SHARD, workspace.annotation(KcpNames.SHARD).orElse("root"));
    workspace.annotation(KcpNames.OWNER).ifPresent(owner -> annotations.put(KcpNames.OWNER, owner));
    workspace
        .annotation(KcpNames.REQUIRED_GROUPS)
        .ifPresent(groups -> annotations.put(KcpNames.REQUIRED_GROUPS, groups));
    annotations.put(KcpNames.RESOURCE_BINDINGS, "{}");
    annotations.put(KcpNames.TYPE, type.toString());
    annotations.put(KcpNames.PATH, path.value());

    var owner = new LinkedHashMap<String, Object>();
    owner.put("apiVersion", "tenancy.kcp.io/v1alpha1");
    owner.put("cluster", parent.name());
    owner.put("name", workspace.name());
    owner.put("resource", "workspaces");
    owner.put("uid", workspace.uid());

    var spec = new LinkedHashMap<String, Object>();
    workspace
        .annotation(KcpNames.OWNER)
        .ifPresent(json -> spec.put("createdBy", KubeJson.read(json)));
    spec.put("directlyDeletable", false);
    if (!initializers.isEmpty()) {
      spec.put("initializers", initializers);
    }
    spec.put("owner", owner);
    if (!terminators.isEmpty()) {
      spec.put("terminators", terminators);
    }
    KubeObject cluster = cluster(annotations, spec, initializers, url);
    return terminators.isEmpty() ? cluster : cluster.with(terminators, "status", "terminators");
  }

  /** The cluster of the workspace root, which no workspace made: ready at once. */
  public static KubeObject root(String url, String now) {
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(KcpNames.SHARD, "root");
    annotations.put(KcpNames.OWNER, "{\"username\":\"system:kcp-bootstrapper\"}");
    annotations.put("internal.kcp.io/replicate", "apis.kcp.io,tenancy.kcp.io");
    annotations.put(KcpNames.RESOURCE_BINDINGS, "{}");
    annotations.put(KcpNames.TYPE, new TypeReference("root", "root").toString());
    KubeObject cluster = cluster(annotations, Map.of("directlyDeletable", false), List.of(), url);
    return Conditions.met(cluster, WorkspacePlanner.INITIALIZED, now)
        .with(READY, "status", "phase");
  }

  /**
   * The cluster of a user's home workspace, which has no parent.
   *
   * @param user as the API describes users
   * @param shard that has it
   * @param type as {@code path:name}
   * @param types that type and all it extends
   * @param url by name, not by path
   */
  public static KubeObject forUser(
      Map<String, Object> user,
      String shard,
      WorkspacePath path,
      TypeReference type,
      List<KubeObject> types,
      String url) {
    List<String> initializers = WorkspaceTypes.initializers(types);
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(KcpNames.SHARD, shard);
    annotations.put(KcpNames.OWNER, KubeJson.writeText(user));
    annotations.put(KcpNames.RESOURCE_BINDINGS, "{}");
    annotations.put(KcpNames.TYPE, type.toString());
    annotations.put(KcpNames.PATH, path.value());
    var spec = new LinkedHashMap<String, Object>();
    spec.put("createdBy", user);
    spec.put("directlyDeletable", false);
    spec.put("initializers", initializers);
    return cluster(annotations, spec, initializers, url);
  }

  private static KubeObject cluster(
      Map<String, Object> annotations,
      Map<String, Object> spec,
      List<String> initializers,
      String url) {
    KubeObject cluster =
        KubeObject.of(CLUSTERS, "LogicalCluster", "", KcpNames.CLUSTER_OBJECT)
            .with(annotations, "metadata", "annotations")
            .withFinalizer(KcpNames.CLUSTER_FINALIZER)
            .with(spec, "spec")
            .with(url, "status", "URL")
            .with("Initializing", "status", "phase");
    return initializers.isEmpty() ? cluster : cluster.with(initializers, "status", "initializers");
  }

  /**
   * The next write.
   *
   * @param labels those of {@link Lifecycle} that the object has to have
   * @param content read only while the cluster is being deleted
   */
  public static WorkspaceStep next(
      KubeObject cluster, Map<String, String> labels, ClusterContent content, String now) {
    KubeObject labelled = finalized(labelled(cluster, labels));
    if (!labelled.equals(cluster)) {
      return new Update(labelled);
    }
    KubeObject after =
        cluster.deleting() ? deleting(cluster, content, now) : initialized(cluster, now);
    if (!after.equals(cluster)) {
      return new Update(after);
    }
    return cluster.deleting()
            && content.state() == ClusterContent.State.GONE
            && cluster.hasFinalizer(KcpNames.CLUSTER_FINALIZER)
        ? new Update(cluster.withoutFinalizer(KcpNames.CLUSTER_FINALIZER))
        : new Await();
  }

  private static KubeObject labelled(KubeObject cluster, Map<String, String> labels) {
    var wanted = new TreeMap<>(cluster.labels());
    for (Lifecycle lifecycle : Lifecycle.values()) {
      wanted.keySet().removeIf(key -> key.startsWith(lifecycle.labelPrefix()));
    }
    wanted.put(KcpNames.PHASE, cluster.text("status", "phase"));
    wanted.putAll(labels);
    KubeObject labelled =
        wanted.equals(new TreeMap<>(cluster.labels()))
            ? cluster
            : cluster.with(wanted, "metadata", "labels");
    return WorkspacePlanner.trimmedOwner(labelled);
  }

  /** Terminators keep the object: it has a finalizer while it lists any. */
  private static KubeObject finalized(KubeObject cluster) {
    boolean has = cluster.hasFinalizer(KcpNames.TERMINATOR_FINALIZER);
    if (Lifecycle.TERMINATING.pending(cluster).isEmpty()) {
      return has ? cluster.withoutFinalizer(KcpNames.TERMINATOR_FINALIZER) : cluster;
    }
    return has ? cluster : cluster.withFinalizer(KcpNames.TERMINATOR_FINALIZER);
  }

  private static KubeObject deleting(KubeObject cluster, ClusterContent content, String now) {
    String phase = Lifecycle.TERMINATING.pending(cluster).isEmpty() ? "Deleting" : "Terminating";
    return content.reported(cluster.with(phase, "status", "phase"), now);
  }

  private static KubeObject initialized(KubeObject cluster, String now) {
    List<Object> initializers = cluster.list("status", "initializers");
    if (!initializers.isEmpty()) {
      return uninitialized(cluster, initializers, now);
    }
    // A new cluster is ready first, as at kcp.
    return BEGUN.contains(cluster.text("status", "phase"))
        ? cluster.with(isInactive(cluster) ? INACTIVE : READY, "status", "phase")
        : Conditions.met(cluster, WorkspacePlanner.INITIALIZED, now).with(READY, "status", "phase");
  }

  /** Whether an annotation puts the LogicalCluster to rest, in any phase. */
  public static boolean isInactive(KubeObject cluster) {
    return KcpNames.INACTIVE.stream()
        .anyMatch(name -> cluster.annotation(name).filter("true"::equals).isPresent());
  }

  static KubeObject uninitialized(KubeObject object, List<Object> initializers, String now) {
    return Conditions.unmet(
        object,
        WorkspacePlanner.INITIALIZED,
        Severity.INFO,
        "InitializerExists",
        "Initializers still exist: " + listed(initializers),
        now);
  }

  /** The object without one initializer; itself if it does not have it. */
  public static KubeObject withoutInitializer(KubeObject cluster, String initializer) {
    List<Object> before = cluster.list("status", "initializers");
    List<Object> after = before.stream().filter(item -> !initializer.equals(item)).toList();
    if (after.size() == before.size()) {
      return cluster;
    }
    return after.isEmpty()
        ? cluster.without("status", "initializers")
        : cluster.with(after, "status", "initializers");
  }

  /** As Go prints a list: {@code [a b]}. */
  public static String listed(List<Object> items) {
    return items.stream().map(Trees::textOrEmpty).collect(Collectors.joining(" ", "[", "]"));
  }
}
