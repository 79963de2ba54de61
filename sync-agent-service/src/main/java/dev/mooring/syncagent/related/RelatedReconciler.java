package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.Primaries.Side;
import dev.mooring.model.published.PublishedResource.WorkspacePaths;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.fleet.ConsumerView;
import dev.mooring.syncagent.fleet.TypeWatches;
import dev.mooring.syncagent.fleet.WorkspacePathDirectory;
import dev.mooring.syncagent.related.RelatedIndex.Looked;
import dev.mooring.syncagent.related.RelatedReader.Gathered;
import dev.mooring.syncagent.related.RelatedReader.Seen;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.Pair;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedPlan;
import dev.mooring.syncagent.related.decide.RelatedPlanner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * Keeps the related objects of one published type's primaries in step; each pass makes at most one
 * write. Changes of related objects bring their primaries back through {@code lookAgain}.
 * Thread-safe.
 */
public final class RelatedReconciler implements RelatedSync, AutoCloseable {
  /** Past this many, entries that the primaries do not name yet are no longer listed. */
  private static final int NOT_YET_MAX = 1000;

  /** Objects that change faster than this bring their primary back anyway. */
  private static final int GATHER_MAX = 3;

  /** A few hundred bytes each. */
  private static final int PATHS_MAX = 100_000;

  private final Rules rules;
  private final List<RelatedResource> entries;
  private final ResourceType primaryType;
  private final ConsumerView primaries;
  private final PrimaryCopies copies;
  private final RelatedRegistry registry;
  private final RelatedReader reader;
  private final RelatedExecutor executor;
  private final RelatedIndex index = new RelatedIndex();
  private final OwnCopies ownCopies = new OwnCopies();
  private final Consumer<ObjectKey> lookAgain;
  private final TypeWatches.Subscription subscription;
  private final ConcurrentHashMap<LogicalCluster, String> paths = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<ObjectKey, String> notYet = new ConcurrentSkipListMap<>();

  /** What holds for all primaries of one published type. */
  public record Rules(
      List<RelatedResource> entries,
      ResourceType primaryType,
      Adoption adoption,
      EmptyNamespaces emptyNamespaces,
      WorkspacePaths workspacePaths) {
    public Rules {
      entries = List.copyOf(entries);
    }
  }

  /**
   * @param lookAgain is given primaries whose related objects changed; must not block
   */
  public RelatedReconciler(
      Rules rules,
      RelatedRegistry registry,
      TypeWatches watches,
      ConsumerView primaries,
      PrimaryCopies copies,
      Consumer<ObjectKey> lookAgain) {
    this.rules = rules;
    this.entries = rules.entries();
    this.primaryType = rules.primaryType();
    this.primaries = primaries;
    this.copies = copies;
    this.registry = registry;
    this.lookAgain = lookAgain;
    this.reader = new RelatedReader(registry, ownCopies, rules, copies::areIn);
    this.executor = new RelatedExecutor(registry, ownCopies, rules.primaryType());
    this.subscription = watches.listen(this::changed);
    // Opened now, not with the first object: lists take a while.
    registry.claims().open();
    entries.forEach(reader::open);
    registry.join(this);
    // Of records that were there before nobody tells; what lives brings its own pass.
    if (hasEntries()) {
      registry.records().primaries(primaryType.qualified()).stream()
          .distinct()
          .filter(key -> primaries.find(key).isEmpty())
          .forEach(lookAgain);
    }
  }

  /** How a pass over a primary's related objects ended. */
  public sealed interface Progress {
    /** All are as they should be. */
    record Settled() implements Progress {}

    /** One write was made; its event brings the next pass. */
    record Wrote() implements Progress {}

    /** The caches are behind: look again soon. */
    record Outdated() implements Progress {}

    /** The caches that decisions need are not filled; empty if nothing keeps them from it. */
    record Unfilled(String why) implements Progress {}

    /** Something else has to happen first; a watch will tell. */
    record Waiting() implements Progress {}

    /** All are as they should be, as far as that is possible. */
    record Warned(String reason, String message) implements Progress {}

    /** At least one cannot be synced as it stands; the others are as they should be. */
    record Refused(String reason, String message) implements Progress {}
  }

  @Override
  public Progress keepInStep(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace) {
    var seen = new Seen(key, source, copy, path);
    path.filter(_ -> paths.size() < PATHS_MAX).ifPresent(value -> paths.put(key.cluster(), value));
    Optional<URI> endpoint = primaries.endpointOf(key);
    var looked = Looked.NOWHERE;
    var missing = new TreeMap<String, String>();
    Progress result = withoutPath(key.cluster(), path);
    for (RelatedResource entry : entries) {
      Optional<String> rejected = registry.claims().missing(key.cluster(), entry.types().inKcp());
      if (rejected.isPresent()) {
        result = worse(result, new Progress.Refused("ClaimRejected", rejected.get()));
        continue;
      }
      if (!reader.isSynced(entry, endpoint)) {
        result = worse(result, unfilled(entry));
        continue;
      }
      Gathered gathered;
      try {
        gathered = gather(entry, seen, looked, workspace);
      } catch (KubeFailure e) {
        if (e.kind() != KubeFailure.Kind.NOT_SERVED) {
          throw e;
        }
        result = worse(result, new Progress.Unfilled(e.getMessage()));
        continue;
      }
      looked = looked.and(gathered.looked());
      RelatedPlan plan = RelatedPlanner.keepInStep(gathered.set());
      if (forgets(plan)) {
        rejected = RelatedClaims.missingNow(workspace, key.cluster(), entry.types().inKcp());
        if (rejected.isPresent()) {
          result = worse(result, new Progress.Refused("ClaimRejected", rejected.get()));
          continue;
        }
      }
      Progress progress = carryOut(seen, plan, workspace);
      if (progress instanceof Progress.Wrote || progress instanceof Progress.Outdated) {
        return progress;
      }
      result = worse(result, progress);
      switch (gathered.resolution().outcome()) {
        case Resolution.Outcome.Complete() -> {}
        case Resolution.Outcome.NotYet(var why) -> missing.put(entry.identifier(), why);
        case Resolution.Outcome.Unclear(var reason, var why) ->
            result =
                worse(
                    result,
                    new Progress.Refused(
                        reason, "Related object \"" + entry.identifier() + "\": " + why + "."));
      }
    }
    note(key, missing);
    return result;
  }

  private Progress withoutPath(LogicalCluster cluster, Optional<String> path) {
    return rules.workspacePaths() == WorkspacePaths.OFF || path.isPresent()
        ? new Progress.Settled()
        : registry
            .claims()
            .missing(cluster, WorkspacePathDirectory.LOGICAL_CLUSTERS)
            .<Progress>map(rejected -> new Progress.Warned("ClaimRejected", rejected))
            .orElseGet(Progress.Settled::new);
  }

  @Override
  public Progress windDown(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace) {
    var seen = new Seen(key, source, copy, path);
    Optional<URI> endpoint = primaries.endpointOf(key);
    var looked = Looked.NOWHERE;
    Progress result = new Progress.Settled();
    for (RelatedResource entry : entries) {
      if (!registry.records().isSynced()) {
        return new Progress.Unfilled("");
      }
      if (!reader.isSynced(entry, endpoint)) {
        if (registry.records().of(reader.holder(entry, key)).isEmpty() && isNotServed(entry)) {
          continue; // there is no such type, so there is nothing of it
        }
        return unfilled(entry);
      }
      Gathered gathered = gather(entry, seen, looked, workspace);
      looked = looked.and(gathered.looked());
      Progress progress = carryOut(seen, RelatedPlanner.windDown(gathered.set()), workspace);
      if (progress instanceof Progress.Wrote || progress instanceof Progress.Outdated) {
        return progress;
      }
      result = worse(result, progress);
    }
    if (result instanceof Progress.Settled) {
      forget(key);
    }
    return result;
  }

  @Override
  public boolean isRecorded(ObjectKey key) {
    return entries.stream()
        .anyMatch(entry -> !registry.records().of(reader.holder(entry, key)).isEmpty());
  }

  @Override
  public Progress clearAway(ObjectKey key) {
    var looked = Looked.NOWHERE;
    Progress result = new Progress.Settled();
    for (RelatedResource entry : entries) {
      if (registry.records().of(reader.holder(entry, key)).isEmpty()) {
        continue;
      }
      Optional<KubeClient> workspace = reader.workspaceOf(entry, key, primaries);
      if (workspace.isEmpty() || !reader.isSynced(entry)) {
        return unfilled(entry);
      }
      var primary = reader.gone(key);
      Gathered gathered = reader.gatherRecorded(entry, primary);
      looked = looked.and(gathered.looked());
      index.replace(key, looked);
      RelatedPlan plan = RelatedPlanner.windDown(gathered.set());
      Progress progress = carryOut(primary, plan, workspace.get());
      if (progress instanceof Progress.Wrote || progress instanceof Progress.Outdated) {
        return progress;
      }
      result = worse(result, progress);
    }
    return result;
  }

  @Override
  public void forget(ObjectKey key) {
    index.replace(key, Looked.NOWHERE);
    notYet.remove(key);
  }

  /** Primaries that do not name some of their related objects yet, and which. */
  public Map<ObjectKey, String> notYet() {
    return new TreeMap<>(notYet);
  }

  @Override
  public void close() {
    registry.leave(this);
    subscription.close();
  }

  boolean hasEntries() {
    return !entries.isEmpty();
  }

  /** Whether it is of this type's primaries. */
  boolean isFor(Holder holder) {
    return holder.primaryType().equals(primaryType.qualified());
  }

  /** Whether the primary lives, calls for the record's copy, and has the original. */
  Need need(RelatedRecord record) {
    ObjectKey key = record.holder().primary();
    Optional<KubeObject> primary = primaries.find(key);
    if (primary.isEmpty()) {
      return primaries.isSynced() ? Need.NOT_NEEDED : Need.UNKNOWN;
    }
    if (primary.get().deleting()) {
      return Need.NOT_NEEDED;
    }
    return entries.stream()
        .filter(entry -> entry.identifier().equals(record.holder().identifier()))
        .filter(entry -> entry.originalType().equals(record.original().type()))
        .filter(entry -> entry.copyType().equals(record.copy().type()))
        .findFirst()
        .map(entry -> need(entry, record, primary.get()))
        .orElse(Need.NOT_NEEDED);
  }

  private Need need(RelatedResource entry, RelatedRecord record, KubeObject primary) {
    ObjectKey key = record.holder().primary();
    Optional<KubeClient> workspace = primaries.clientFor(key);
    Optional<String> path = Optional.ofNullable(paths.get(key.cluster()));
    if (workspace.isEmpty()
        || path.isEmpty() && rules.workspacePaths() == WorkspacePaths.ON
        || !copies.areListed()
        || !reader.isSynced(entry, primaries.endpointOf(key))) {
      return Need.UNKNOWN;
    }
    if (registry.objects().find(record.original()).filter(o -> !o.deleting()).isEmpty()) {
      return Need.NOT_NEEDED;
    }
    Resolution resolution =
        reader.resolve(entry, new Seen(key, primary, copies.of(key), path), workspace.get());
    var meant = new Pair(record.original().place(), record.copy().place());
    return resolution.pairs().contains(meant)
        ? Need.NEEDED
        : resolution.outcome() instanceof Resolution.Outcome.Unclear
            ? Need.UNKNOWN
            : Need.NOT_NEEDED;
  }

  /** Its own primary, and all others that look at the same copy, have to look again. */
  void recordChanged(RelatedRecord record) {
    if (isFor(record.holder())) {
      lookAgain.accept(record.holder().primary());
    }
    index.primariesOf(record.copy()).forEach(lookAgain);
  }

  /**
   * What a change of is not to be missed has to be in the index before it is read, and only reading
   * tells what it is: so it is read again where that is news.
   */
  private Gathered gather(RelatedResource entry, Seen seen, Looked before, KubeClient workspace) {
    Gathered gathered = reader.gather(entry, seen, workspace);
    for (int i = 0; i < GATHER_MAX; i++) {
      if (!index.extend(seen.key(), before.and(gathered.looked()))) {
        break;
      }
      gathered = reader.gather(entry, seen, workspace);
    }
    return gathered;
  }

  /** Whether it takes for gone what a rejected claim only hides. */
  private static boolean forgets(RelatedPlan plan) {
    return plan instanceof RelatedPlan.Act(var action)
        && (action instanceof RelatedAction.DeleteCopy
            || action instanceof RelatedAction.DropRecord);
  }

  private Progress carryOut(Seen seen, RelatedPlan plan, KubeClient workspace) {
    return switch (plan) {
      case RelatedPlan.InSync() -> new Progress.Settled();
      case RelatedPlan.Await() -> new Progress.Waiting();
      case RelatedPlan.Warn(var reason, var message) -> new Progress.Warned(reason, message);
      case RelatedPlan.Refuse(var reason, var message) -> new Progress.Refused(reason, message);
      case RelatedPlan.Act(var action) ->
          switch (executor.execute(seen.inKcp(), action, workspace)) {
            case DONE -> new Progress.Wrote();
            case OUTDATED -> new Progress.Outdated();
          };
    };
  }

  private Progress.Unfilled unfilled(RelatedResource entry) {
    return new Progress.Unfilled(failure(entry).map(KubeFailure::getMessage).orElse(""));
  }

  private boolean isNotServed(RelatedResource entry) {
    return failure(entry).filter(f -> f.kind() == KubeFailure.Kind.NOT_SERVED).isPresent();
  }

  private Optional<KubeFailure> failure(RelatedResource entry) {
    RelatedObjects objects = registry.objects();
    return objects
        .lastFailure(Side.KCP, entry.types().inKcp())
        .or(() -> objects.lastFailure(Side.SERVICE, entry.types().onService()));
  }

  private void note(ObjectKey key, Map<String, String> missing) {
    if (missing.isEmpty()) {
      notYet.remove(key);
    } else if (notYet.size() < NOT_YET_MAX || notYet.containsKey(key)) {
      notYet.put(key, missing.toString());
    }
  }

  private static Progress worse(Progress before, Progress now) {
    return rank(now) > rank(before) ? now : before;
  }

  private static int rank(Progress progress) {
    return switch (progress) {
      case Progress.Settled _ -> 0;
      case Progress.Waiting _ -> 1;
      case Progress.Warned _ -> 2;
      case Progress.Unfilled _ -> 3;
      case Progress.Refused _ -> 4;
      case Progress.Outdated _, Progress.Wrote _ -> 5;
    };
  }

  private void changed(TypeWatches.Side side, ResourceType type, Change change) {
    Spot spot = spot(side, type, change.latest(), change.key());
    if (type.equals(RelatedClaims.BINDINGS)
        && (hasEntries() || rules.workspacePaths() == WorkspacePaths.ON)) {
      primaries.keys().stream()
          .filter(primary -> primary.cluster().equals(change.key().cluster()))
          .forEach(lookAgain);
    }
    ownCopies.changed(spot, change);
    if (change instanceof Change.Updated(var _, var before, var after)
        && !before.labels().equals(after.labels())) {
      index.primariesOf(spot, before).forEach(lookAgain);
    }
    index.primariesOf(spot, change.latest()).forEach(lookAgain);
  }

  private static Spot spot(
      TypeWatches.Side side, ResourceType type, KubeObject object, ObjectKey key) {
    return switch (side) {
      case SERVICE -> new Spot(Side.SERVICE, type, LogicalCluster.NONE, Place.of(object));
      case KCP -> new Spot(Side.KCP, type, key.cluster(), Place.of(object));
    };
  }
}
