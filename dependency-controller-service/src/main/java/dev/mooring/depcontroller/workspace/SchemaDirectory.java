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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

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
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<LogicalCluster, Followed> followed = new TreeMap<>();
  private boolean closed;

  /**
   * @param changed is called when a schema may have changed; must be quick
   */
  public SchemaDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on schemas of these workspaces are known, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    var wanted = new TreeSet<>(clusters);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      for (LogicalCluster cluster : List.copyOf(followed.keySet())) {
        if (!wanted.contains(cluster)) {
          followed.remove(cluster).close();
        }
      }
      for (LogicalCluster cluster : wanted) {
        followed.computeIfAbsent(cluster, this::open);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Empty while nobody has looked. */
  public Optional<VersionReading> versions(LogicalCluster cluster, String schema) {
    lock.lock();
    try {
      return Optional.ofNullable(followed.get(cluster))
          .flatMap(schemas -> versions(schemas, cluster, schema));
    } finally {
      lock.unlock();
    }
  }

  /** For operators: each workspace and whether its schemas can be read. */
  public Map<String, String> describe() {
    lock.lock();
    try {
      var described = new TreeMap<String, String>();
      followed.forEach((cluster, schemas) ->
          described.put(
              cluster.name(),
              schemas
                  .doubt()
                  .map(failure -> unreadable(cluster, failure))
                  .orElseGet(() -> schemas.isListed() ? schemas.all().size() + " schemas" : "")));
      return described;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      followed.values().forEach(Followed::close);
      followed.clear();
    } finally {
      lock.unlock();
    }
  }

  private static Optional<VersionReading> versions(
      Followed schemas, LogicalCluster cluster, String name) {
    Optional<KubeFailure> doubt = schemas.doubt();
    if (doubt.isPresent()) {
      return Optional.of(new VersionReading.Unreadable(unreadable(cluster, doubt.get())));
    }
    if (!schemas.isListed()) {
      return Optional.empty();
    }
    return Optional.of(
        new VersionReading.Served(
            schemas.all().stream()
                .filter(schema -> schema.name().equals(name))
                .findFirst()
                .map(SchemaDirectory::served)
                .orElseGet(TreeSet::new)));
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

  private Followed open(LogicalCluster cluster) {
    return Followed.start(workspaces.client(cluster), SCHEMAS, this::tell, changed);
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
