package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.related.RelatedSync;
import dev.mooring.syncagent.related.RelatedSyncFactory;
import dev.mooring.syncagent.sync.FailureRegistry.Outlook;
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

/** How far the objects of one published type are synced: for conditions, meters and operators. */
public final class SyncStatus {
  private static final ResourceType EVENTS = ResourceType.core("events");

  private final PublishedResource published;
  private final ProjectedSchema schema;
  private final SyncCaches caches;
  private final WorkQueue<ObjectKey> queue;
  private final FailureRegistry failures;
  private final UnsyncedObjects unsynced;
  private final RelatedSync related;
  private final RelatedSyncFactory relatedSyncs;
  private volatile boolean allStarted;

  /** Why objects failed when that was last compared; guarded by the failures. */
  private Set<String> failing = Set.of();

  SyncStatus(
      PublishedResource published,
      ProjectedSchema schema,
      SyncCaches caches,
      WorkQueue<ObjectKey> queue,
      FailureRegistry failures,
      UnsyncedObjects unsynced,
      RelatedSync related,
      RelatedSyncFactory relatedSyncs) {
    this.published = published;
    this.schema = schema;
    this.caches = caches;
    this.queue = queue;
    this.failures = failures;
    this.unsynced = unsynced;
    this.related = related;
    this.relatedSyncs = relatedSyncs;
  }

  /** For operators; objects that are not synced are listed with their reasons. */
  public Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    described.put("type", schema.inKcp().resource().toString());
    described.put("serviceType", schema.onService().resource().toString());
    described.put("synced", caches.areFilled());
    described.put("objects", caches.sources().size());
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
                    "outlook", failure.outlook().name().toLowerCase(Locale.ROOT),
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
    long objects = caches.sources().size();
    long failed =
        Math.min(failures.count(Outlook.FAILED) + failures.count(Outlook.REFUSED), objects);
    long waiting =
        unsynced.count(
            key -> failures.of(key).map(outlook -> outlook == Outlook.PENDING).orElse(true));
    long pending = Math.min(waiting, objects - failed);
    return new ObjectCounts(objects - pending - failed, pending, failed);
  }

  /** What is known to keep objects from being synced, the gravest first. */
  public List<SyncState.Problem> problems() {
    var problems = new ArrayList<SyncState.Problem>();
    List<String> rejected = relatedSyncs.rejectedClaims(claimed());
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

  /**
   * Whether objects fail for other reasons than at the last call. Read and compared in one, or a
   * worker that read earlier would win.
   */
  boolean failingChanged() {
    synchronized (failures) {
      Set<String> before = failing;
      failing = failures.failingReasons();
      return !failing.equals(before);
    }
  }

  /** Objects on the service cluster. */
  int copies() {
    return caches.copies().size();
  }

  /** Of the objects that count as failed, those that a rule or a server refuses. */
  long refused() {
    return Math.min(failures.count(Outlook.REFUSED), caches.sources().size());
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
}
