package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.related.PermissionClaims;
import dev.mooring.syncagent.related.RelatedSync;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How far the objects of one published type are synced, and what is known of each: for conditions,
 * meters and operators.
 */
public final class SyncStatus {
  private static final ResourceType EVENTS = ResourceType.core("events");

  private final PublishedResource published;
  private final ProjectedSchema schema;
  private final SyncCaches caches;
  private final WorkQueue<ObjectKey> queue;
  private final FailureRegistry failures;
  private final UnsyncedObjects unsynced;
  private final RelatedSync related;
  private final PermissionClaims claims;
  private final Function<LogicalCluster, Optional<String>> paths;
  private volatile boolean allStarted;

  SyncStatus(
      PublishedResource published,
      ProjectedSchema schema,
      SyncCaches caches,
      WorkQueue<ObjectKey> queue,
      FailureRegistry failures,
      UnsyncedObjects unsynced,
      RelatedSync related,
      PermissionClaims claims,
      Function<LogicalCluster, Optional<String>> paths) {
    this.published = published;
    this.schema = schema;
    this.caches = caches;
    this.queue = queue;
    this.failures = failures;
    this.unsynced = unsynced;
    this.related = related;
    this.claims = claims;
    this.paths = paths;
  }

  /** For operators; objects that are not synced are listed with their reasons. */
  public Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    described.put("type", schema.inKcp().resource().toString());
    described.put("serviceType", schema.onService().resource().toString());
    described.put("synced", caches.areFilled());
    described.put("objects", caches.objects());
    ObjectCounts counts = countsSoFar();
    described.put("pending", counts.pending());
    described.put("failed", counts.failed());
    described.put("queued", queued());
    described.put("oldestQueuedSeconds", queue.status().oldest().toSeconds());
    caches.lastFailure().ifPresent(failure -> described.put("lastFailure", failure.getMessage()));
    var listed = new LinkedHashMap<String, Object>();
    failures
        .listed()
        .forEach((key, failure) ->
            listed.put(
                key.toString(),
                Map.of(
                    "outlook", failure.state().name().toLowerCase(Locale.ROOT),
                    "reason", failure.reason(),
                    "message", failure.message())));
    described.put("failing", listed);
    var relatedPending = new LinkedHashMap<String, Object>();
    related.pending().forEach((key, why) -> relatedPending.put(key.toString(), why));
    described.put("relatedPending", relatedPending);
    return described;
  }

  /** Empty until a pass over every object has begun: before that little is known of most. */
  public Optional<ObjectCounts> counts() {
    allStarted |= caches.areFilled() && queued() == 0 && unsynced.allStarted();
    return allStarted ? Optional.of(countsSoFar()) : Optional.empty();
  }

  /** Objects without a pass so far are pending. */
  public ObjectCounts countsSoFar() {
    long objects = caches.objects();
    long failed = Math.min(failures.count(State.FAILED) + failures.count(State.REFUSED), objects);
    long waiting =
        unsynced.count(key -> failures.of(key).map(state -> state == State.PENDING).orElse(true));
    long pending = Math.min(waiting, objects - failed);
    return new ObjectCounts(objects - pending - failed, pending, failed);
  }

  /** What is known to keep objects from being synced, the gravest first. */
  public List<SyncState.Problem> problems() {
    var problems = new ArrayList<SyncState.Problem>();
    List<String> rejected = claims.missing(claimed());
    if (!rejected.isEmpty()) {
      problems.add(
          new SyncState.Problem(
              SyncState.Problem.CLAIM_REJECTED,
              rejected.size() == 1
                  ? rejected.getFirst()
                  : rejected.getFirst() + " So do " + (rejected.size() - 1) + " more."));
    }
    failures
        .failing()
        .map(reasons -> new SyncState.Problem(SyncState.Problem.OBJECTS_FAILING, reasons))
        .ifPresent(problems::add);
    return problems;
  }

  private Set<ResourceType> claimed() {
    var types = new LinkedHashSet<ResourceType>();
    published.related().forEach(entry -> types.add(entry.types().inKcp()));
    if (!published.related().isEmpty()
        || !published.namespaceFilter().equals(LabelSelector.EVERYTHING)) {
      types.add(Clusters.NAMESPACES);
    }
    if (published.workspacePaths() == WorkspacePaths.ON) {
      types.add(WorkspacePathCache.LOGICAL_CLUSTERS);
    }
    types.add(EVENTS);
    return types;
  }

  /** Objects on the service cluster. */
  int copies() {
    return caches.ownCopies();
  }

  /** Of the objects that count as failed, those that a rule or a server refuses. */
  long refused() {
    return Math.min(failures.count(State.REFUSED), caches.objects());
  }

  /** Whether everything is listed, and no list or watch fails. */
  boolean isFollowed() {
    return caches.areFilled() && caches.lastFailure().isEmpty();
  }

  /** Objects that wait for a reconcile, or are reconciled. */
  public int queued() {
    return queue.status().waiting() + queue.status().running();
  }

  /** Age of the oldest unsynced object; zero if all are synced. */
  public Duration oldestUnsynced() {
    return unsynced.oldest();
  }

  /** By a lower-case part of the workspace, logical cluster or namespace/name; in no order. */
  public Stream<ObjectKey> find(String text) {
    Predicate<ObjectKey> contains =
        key ->
            text.isEmpty()
                || key.toString().toLowerCase(Locale.ROOT).contains(text)
                || workspace(key).filter(path -> path.contains(text)).isPresent();
    return caches.keys().filter(contains);
  }

  /** The path of the object's workspace; empty if it is not known. */
  public Optional<String> workspace(ObjectKey key) {
    return paths.apply(key.cluster());
  }

  public State state(ObjectKey key) {
    return failures
        .of(key)
        .orElseGet(() -> unsynced.age(key).isPresent() ? State.PENDING : State.SYNCED);
  }

  /** Empty if there is neither the object nor a copy of it. */
  public Optional<ObjectDiagnosis> of(ObjectKey key) {
    Optional<Failure> failure = failures.find(key);
    var diagnosis =
        new ObjectDiagnosis(
            key,
            workspace(key),
            state(key),
            failure.map(Failure::reason).orElse(""),
            failure.map(Failure::message).orElse(""),
            unsynced.age(key).filter(Duration::isPositive),
            caches.sources().find(key),
            caches.copies().indexed(SnapshotReader.BY_SOURCE, SourceMarks.identity(key)),
            related.records(key),
            related.pending(key));
    return diagnosis.source().isEmpty() && diagnosis.copies().isEmpty()
        ? Optional.empty()
        : Optional.of(diagnosis);
  }
}
