package dev.mooring.depcontroller.workspace;

import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The versions in the APIResourceSchemas of providers. Each workspace is listed once and then
 * watched; of a schema no more is held than its name and versions. Thread-safe.
 */
public final class SchemaDirectory implements AutoCloseable {
  private static final InformerSpec SCHEMAS =
      InformerSpec.of(new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas"))
          .keeping(SchemaDirectory::versionsOnly);

  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<LogicalCluster, WorkspaceInformer> followed =
      new WorkspaceInformers<>(this::open, WorkspaceInformer::close);

  /**
   * @param changed is called when a schema may have changed; must be quick
   */
  public SchemaDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on schemas of these workspaces are known, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    followed.follow(clusters);
  }

  /** Empty while nobody has looked. */
  public Optional<VersionReading> versions(LogicalCluster cluster, String schema) {
    return followed.find(cluster).flatMap(schemas -> versions(schemas, cluster, schema));
  }

  /** For operators: each workspace and whether its schemas can be read. */
  public Map<String, String> describe() {
    return followed.describe(SchemaDirectory::describe);
  }

  @Override
  public void close() {
    followed.close();
  }

  private static Optional<VersionReading> versions(
      WorkspaceInformer schemas, LogicalCluster cluster, String name) {
    Optional<KubeFailure> doubt = schemas.doubt();
    if (doubt.isPresent()) {
      return Optional.of(new VersionReading.Unreadable(unreadable(cluster, doubt.get())));
    }
    if (!schemas.isListed()) {
      return Optional.empty();
    }
    return Optional.of(
        new VersionReading.Served(
            schemas.find(name).map(SchemaDirectory::served).orElseGet(TreeSet::new)));
  }

  private static String describe(LogicalCluster cluster, WorkspaceInformer schemas) {
    return schemas
        .doubt()
        .map(failure -> unreadable(cluster, failure))
        .orElseGet(() -> schemas.isListed() ? schemas.size() + " schemas" : "");
  }

  private static SortedSet<String> served(KubeObject schema) {
    var served = new TreeSet<String>();
    for (Object version : schema.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "served"))) {
        served.add(Trees.textOrEmpty(Trees.at(version, "name")));
      }
    }
    return served;
  }

  /** The rest is most of it: what objects of the type look like. */
  private static KubeObject versionsOnly(KubeObject schema) {
    List<Object> versions =
        schema.list("spec", "versions").stream()
            .<Object>map(version ->
                Map.of(
                    "name",
                    Trees.textOrEmpty(Trees.at(version, "name")),
                    "served",
                    Boolean.TRUE.equals(Trees.at(version, "served"))))
            .toList();
    return schema.with(Map.of("versions", versions), "spec");
  }

  private static String unreadable(LogicalCluster cluster, KubeFailure failure) {
    String what =
        "the APIResourceSchemas in logical cluster "
            + cluster
            + " cannot be read: "
            + failure.getMessage();
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          what
              + "; there, let the controller's user get, list and watch"
              + " apiresourceschemas.apis.kcp.io";
      default -> what;
    };
  }

  private WorkspaceInformer open(LogicalCluster cluster) {
    return WorkspaceInformer.start(workspaces.client(cluster), SCHEMAS, this::tell, changed);
  }

  private void tell(Change change) {
    boolean matters =
        switch (change) {
          case Change.Added(_, _), Change.Removed(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !served(before).equals(served(after));
        };
    if (matters) {
      changed.run();
    }
  }
}
