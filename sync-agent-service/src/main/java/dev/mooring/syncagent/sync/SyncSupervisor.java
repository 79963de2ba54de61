package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.related.RelatedSyncFactory;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The syncs that run: one for each published type, restarted when its PublishedResource or its
 * schema changes. Thread-safe.
 */
public final class SyncSupervisor {
  private static final Logger LOG = LoggerFactory.getLogger(SyncSupervisor.class);

  /**
   * After a new schema: kcp's virtual workspace follows a changed APIExport within seconds, does
   * not say when it has, and cuts what it sends to a watch opened before down to the old schema.
   */
  private static final List<Duration> LOOKS_AGAIN =
      List.of(Duration.ofSeconds(10), Duration.ofMinutes(1));

  private final Clusters clusters;
  private final Scheduler scheduler;
  private final ObjectSyncFactory syncs;
  private final RunningSyncs<Running> running = new RunningSyncs<>();

  /** By the PublishedResource's name, over its changes: its next sync says what they corrected. */
  private final ConcurrentHashMap<String, Set<ObjectKey>> warned = new ConcurrentHashMap<>();

  /** Which sync it is: the very object, as it was specified, with the schema it has. */
  private record Identity(String uid, long generation, String schemaName, String serviceType) {}

  private record Running(Identity identity, ObjectSync sync) implements RunningSyncs.Drained {
    @Override
    public void close(Duration drain) {
      sync.close(drain);
    }
  }

  public SyncSupervisor(
      Clusters clusters,
      SyncSettings settings,
      EventRecorder recorder,
      Telemetry telemetry,
      Clocks clocks,
      Scheduler scheduler,
      ObjectSync.Listener listener) {
    this.clusters = clusters;
    this.scheduler = scheduler;
    this.syncs =
        new ObjectSyncFactory(
            clusters,
            settings,
            new RelatedSyncFactory(
                clusters.service(),
                clusters.shared(),
                clusters.namespaceWriter(),
                settings.agentName(),
                settings.stateNamespace(),
                clocks.steady()),
            recorder,
            telemetry,
            clocks.wall(),
            listener);
  }

  /** Sync objects like this from now on; nothing happens if that is so already. */
  public void ensure(PublishedResource published, ProjectedSchema schema) {
    var identity =
        new Identity(
            published.uid(),
            published.generation(),
            schema.schemaName(),
            schema.onService().resource().toString());
    Optional<Running> current = running.find(published.name());
    if (current.filter(sync -> sync.identity().equals(identity)).isPresent()) {
      return;
    }
    LOG.info(
        "Syncing {} as {}", schema.onService().resource(), schema.inKcp().resource().qualified());
    Optional<Running> next =
        running.replace(
            published.name(),
            () ->
                new Running(
                    identity,
                    syncs.start(
                        published,
                        schema,
                        warned.computeIfAbsent(
                            published.name(), _ -> ConcurrentHashMap.newKeySet()))));
    // An endpoint may have been listed before the sync was among the running ones.
    next.ifPresent(started -> started.sync().cacheFilled());
    boolean another =
        current
            .filter(sync -> !sync.identity().schemaName().equals(identity.schemaName()))
            .isPresent();
    next.filter(_ -> another)
        .ifPresent(started ->
            LOOKS_AGAIN.forEach(
                delay -> scheduler.after(delay, () -> relist(published.name(), started))));
  }

  private void relist(String publishedName, Running which) {
    running
        .find(publishedName)
        .filter(current -> current == which)
        .ifPresent(current -> current.sync().relist());
  }

  /** Stop, if running; copies stay as they are. */
  public void stop(String publishedName) {
    if (running.remove(publishedName).isPresent()) {
      warned.remove(publishedName);
      LOG.info("No longer syncing {}", publishedName);
    }
  }

  public SyncState state(String publishedName) {
    Optional<ObjectSync> current = find(publishedName);
    if (current.isPresent()) {
      return state(current.get());
    }
    // What a stop has ended goes on with the next start.
    return running.isClosed()
        ? new SyncState.Listing("The agent is stopping.")
        : new SyncState.Off();
  }

  private SyncState state(ObjectSync sync) {
    if (clusters.export().endpoints().isEmpty()) {
      return new SyncState.Waiting(
          "NoEndpoints",
          "The endpoint slice has no endpoints: no workspace has bound the APIExport yet.");
    }
    if (!sync.isSynced()) {
      return sync.lastFailure()
          .map(SyncSupervisor::unlisted)
          .orElseGet(() -> new SyncState.Listing("Objects are being listed."));
    }
    return new SyncState.Running(sync.status().counts(), sync.status().problems());
  }

  private static SyncState unlisted(KubeFailure failure) {
    String message = "Objects cannot be listed yet: " + failure.getMessage();
    // A missing permission stays away; a server that does not answer, or not yet, comes back.
    return failure.isDenied()
        ? new SyncState.Waiting(SyncState.CACHES_FILLING, message)
        : new SyncState.Listing(message);
  }

  /** Objects of an endpoint were listed for the first time, or all endpoints are known by now. */
  public void endpointsChanged() {
    all().forEach(ObjectSync::cacheFilled);
  }

  /** In order of the PublishedResources' names. */
  public List<ObjectSync> all() {
    return running.all().stream().map(Running::sync).toList();
  }

  public Optional<ObjectSync> find(String publishedName) {
    return running.find(publishedName).map(Running::sync);
  }

  /** Lets writes under way end, for so long at most; nothing is started any more. */
  public void close(Duration drain) {
    running.close(drain);
  }
}
