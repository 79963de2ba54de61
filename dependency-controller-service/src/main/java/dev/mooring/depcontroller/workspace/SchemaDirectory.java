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
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The versions that the APIResourceSchemas of workspaces serve. Caches only names and versions.
 * Thread-safe.
 */
public final class SchemaDirectory implements AutoCloseable {
  private static final InformerSpec SCHEMAS =
      InformerSpec.of(new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas"))
          .keeping(SchemaDirectory::versionsOnly);

  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final WorkspaceInformers<LogicalCluster, WorkspaceInformer> informers =
      new WorkspaceInformers<>(this::open, WorkspaceInformer::close);

  /**
   * @param changed runs when a schema may have changed; must not block
   */
  public SchemaDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = workspaces;
    this.changed = changed;
  }

  /** Watches the schemas of these workspaces, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    informers.follow(clusters);
  }

  /** Empty before the first list. */
  public Optional<VersionReading> versions(LogicalCluster cluster, String schema) {
    return informers.find(cluster).flatMap(schemas -> versions(schemas, cluster, schema));
  }

  /** For operators: each workspace and whether its schemas can be read. */
  public Map<String, String> describe() {
    return informers.describe(SchemaDirectory::describe);
  }

  @Override
  public void close() {
    informers.close();
  }

  private static Optional<VersionReading> versions(
      WorkspaceInformer schemas, LogicalCluster cluster, String name) {
    Optional<KubeFailure> failure = schemas.readFailure();
    if (failure.isPresent()) {
      return Optional.of(new VersionReading.Unreadable(unreadable(cluster, failure.get())));
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
        .readFailure()
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

  /** Drops the schema itself, which is most of the object. */
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
    return failure.isDenied()
        ? what
            + "; there, let the controller's user get, list and watch"
            + " apiresourceschemas.apis.kcp.io"
        : what;
  }

  private WorkspaceInformer open(LogicalCluster cluster) {
    return WorkspaceInformer.start(workspaces.client(cluster), SCHEMAS, this::changed, changed);
  }

  private void changed(Change change) {
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
