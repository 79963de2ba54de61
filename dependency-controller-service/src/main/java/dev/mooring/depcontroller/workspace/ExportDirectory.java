package dev.mooring.depcontroller.workspace;

import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The APIExports of providers, by which the authority of rules is judged. Each workspace is listed
 * once and then watched. One that cannot be read, or not any more, makes its exports {@link
 * ExportReading.Unreadable}, never absent, nor what they were. Thread-safe.
 */
public final class ExportDirectory implements AutoCloseable {
  private final WorkspaceAccess workspaces;
  private final Runnable changed;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<LogicalCluster, Exports> followed = new TreeMap<>();
  private boolean closed;

  /** One workspace; facts are read once for each version of an export. */
  private static final class Exports {
    private final Followed objects;
    private final HashMap<String, Read> read = new HashMap<>();

    private Exports(Followed objects) {
      this.objects = objects;
    }
  }

  private record Read(KubeObject of, ExportReading reading) {}

  /**
   * @param changed is called when an export may have changed; must be quick
   */
  public ExportDirectory(WorkspaceAccess workspaces, Runnable changed) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
    this.changed = Objects.requireNonNull(changed, "changed");
  }

  /** From now on exports of these workspaces are known, and of no others. */
  public void follow(Collection<LogicalCluster> clusters) {
    var wanted = new TreeSet<>(clusters);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      for (LogicalCluster cluster : List.copyOf(followed.keySet())) {
        if (!wanted.contains(cluster)) {
          followed.remove(cluster).objects.close();
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
  public Optional<ExportReading> find(LogicalCluster cluster, String name) {
    lock.lock();
    try {
      Exports workspace = followed.get(cluster);
      return workspace == null ? Optional.empty() : find(workspace, cluster, name);
    } finally {
      lock.unlock();
    }
  }

  /** For operators: each workspace and whether its exports can be read. */
  public Map<String, String> describe() {
    lock.lock();
    try {
      var described = new TreeMap<String, String>();
      followed.forEach((cluster, workspace) ->
          described.put(cluster.name(), describe(cluster, workspace.objects)));
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
      followed.values().forEach(workspace -> workspace.objects.close());
      followed.clear();
    } finally {
      lock.unlock();
    }
  }

  private static Optional<ExportReading> find(
      Exports workspace, LogicalCluster cluster, String name) {
    Optional<KubeFailure> doubt = workspace.objects.doubt();
    if (doubt.isPresent()) {
      return Optional.of(new ExportReading.Unreadable(unreadable(cluster, doubt.get())));
    }
    if (!workspace.objects.isListed()) {
      return Optional.empty();
    }
    Optional<KubeObject> export =
        workspace.objects.all().stream().filter(e -> e.name().equals(name)).findFirst();
    if (export.isEmpty()) {
      workspace.read.remove(name);
      return Optional.of(new ExportReading.Absent());
    }
    Read held = workspace.read.get(name);
    if (held == null || held.of() != export.get()) {
      held = new Read(export.get(), new ExportReading.Found(ExportFacts.of(export.get())));
      workspace.read.put(name, held);
    }
    return Optional.of(held.reading());
  }

  private static String describe(LogicalCluster cluster, Followed exports) {
    return exports
        .doubt()
        .map(failure -> unreadable(cluster, failure))
        .orElseGet(() -> exports.isListed() ? exports.all().size() + " exports" : "");
  }

  private static String unreadable(LogicalCluster cluster, KubeFailure failure) {
    String what =
        "the APIExports in logical cluster " + cluster + " cannot be read: " + failure.getMessage();
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          what
              + "; there, let the controller's user get, list and watch apiexports.apis.kcp.io and"
              + " bind it to ClusterRole system:kcp:workspace:access";
      default -> what;
    };
  }

  private Exports open(LogicalCluster cluster) {
    return new Exports(
        Followed.start(
            workspaces.client(cluster), InformerSpec.of(ExportFacts.TYPE), this::tell, changed));
  }

  private void tell(Change change) {
    boolean matters =
        switch (change) {
          case Change.Added(_, _), Change.Removed(_, _) -> true;
          case Change.Updated(_, KubeObject before, KubeObject after) ->
              !ExportFacts.of(before).equals(ExportFacts.of(after));
        };
    if (matters) {
      changed.run();
    }
  }
}
