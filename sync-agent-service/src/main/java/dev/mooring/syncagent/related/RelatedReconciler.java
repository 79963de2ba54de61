package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.fleet.ConsumerView;
import dev.mooring.syncagent.fleet.TypeWatches;
import dev.mooring.syncagent.fleet.WorkspacePathDirectory;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.RelatedIndex.Looked;
import dev.mooring.syncagent.related.RelatedReader.Seen;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.Pair;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sharing.Need;
import dev.mooring.syncagent.related.decide.Sight;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Keeps the related objects of one published type's primaries in step; each pass makes at most one
 * write. Changes of related objects bring their primaries back through {@code lookAgain}.
 * Thread-safe.
 */
public final class RelatedReconciler implements RelatedSync, AutoCloseable {
  /** Past this many, entries that the primaries do not name yet are no longer listed. */
  private static final int NOT_YET_MAX = 1000;

  /** A few hundred bytes each. */
  private static final int PATHS_MAX = 100_000;

  private final Rules rules;
  private final List<RelatedResource> entries;
  private final ResourceType primaryType;
  private final ConsumerView primaries;
  private final PrimaryCopies copies;
  private final RelatedRegistry registry;
  private final RelatedReader reader;
  private final RelatedPass.Tools tools;
  private final RelatedIndex index = new RelatedIndex();
  private final RefusedActions refused = new RefusedActions();
  private final OwnCopies ownCopies = new OwnCopies();
  private final Consumer<ObjectKey> lookAgain;
  private final TypeWatches.Subscription subscription;
  private volatile boolean closed;
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
    this.tools =
        new RelatedPass.Tools(
            rules,
            registry,
            reader,
            new RelatedExecutor(registry, ownCopies, rules.primaryType(), () -> closed),
            index,
            refused,
            primaries);
    this.subscription = watches.listen(this::changed);
    // Opened now, not with the first object: lists take a while.
    registry.claims().open();
    entries.forEach(reader::open);
    registry.join(this);
    // Of records that were there before nobody tells; what lives brings its own pass.
    recordedPrimaries().filter(key -> primaries.find(key).isEmpty()).forEach(lookAgain);
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

    /** What is worth more telling. */
    default Progress orWorse(Progress other) {
      return rank(other) > rank(this) ? other : this;
    }

    private static int rank(Progress progress) {
      return switch (progress) {
        case Settled _ -> 0;
        case Waiting _ -> 1;
        case Warned _ -> 2;
        case Unfilled _ -> 3;
        case Refused _ -> 4;
        case Outdated _, Wrote _ -> 5;
      };
    }
  }

  @Override
  public Progress keepInStep(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace) {
    path.filter(_ -> paths.size() < PATHS_MAX).ifPresent(value -> paths.put(key.cluster(), value));
    var seen = new Seen(key, source, copy, path);
    var pass = new RelatedPass(tools, seen, workspace, withoutPath(key.cluster(), path));
    Optional<Progress> wrote = pass.keepInStep();
    if (wrote.isPresent()) {
      return wrote.get();
    }
    note(key, pass.notYet());
    return pass.end();
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
    Progress progress = new RelatedPass(tools, seen, workspace, new Progress.Settled()).windDown();
    if (progress instanceof Progress.Settled) {
      forget(key);
    }
    return progress;
  }

  @Override
  public boolean isRecorded(ObjectKey key) {
    return !registry.records().ofPrimary(primaryType.qualified(), key).isEmpty();
  }

  @Override
  public Progress clearAway(ObjectKey key) {
    Optional<KubeClient> workspace = reader.workspaceOf(key, primaries);
    return workspace.isEmpty()
        ? new Progress.Unfilled("")
        : new RelatedPass(tools, reader.gone(key), workspace.get(), new Progress.Settled())
            .clearAway();
  }

  @Override
  public void forget(ObjectKey key) {
    index.replace(key, Looked.NOWHERE);
    refused.forget(key);
    notYet.remove(key);
  }

  /** Primaries that do not name some of their related objects yet, and which. */
  public Map<ObjectKey, String> notYet() {
    return new TreeMap<>(notYet);
  }

  @Override
  public void close() {
    closed = true;
    registry.leave(this);
    subscription.close();
  }

  private Stream<ObjectKey> recordedPrimaries() {
    return registry.records().primaries(primaryType.qualified()).stream().distinct();
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
        .filter(record::isOf)
        .findFirst()
        .map(entry -> need(entry, record.readAs(entry.types()), primary.get()))
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
    Need unlessSeen = showsAll(key.cluster(), entry) ? Need.NOT_NEEDED : Need.UNKNOWN;
    Optional<KubeObject> original = registry.objects().find(record.original());
    if (original.filter(o -> !o.deleting()).isEmpty()) {
      return original.isPresent() ? Need.NOT_NEEDED : unlessSeen;
    }
    Resolution resolution =
        reader.resolve(entry, new Seen(key, primary, copies.of(key), path), workspace.get());
    if (resolution.pairs().contains(new Pair(record.original().place(), record.copy().place()))) {
      return Need.NEEDED;
    }
    return resolution.outcome() instanceof Resolution.Outcome.Unclear ? Need.UNKNOWN : unlessSeen;
  }

  private boolean showsAll(LogicalCluster cluster, RelatedResource entry) {
    List<ResourceType> types =
        RelatedReader.selectsNamespaces(entry)
            ? List.of(entry.types().inKcp(), ResourceType.core("namespaces"))
            : List.of(entry.types().inKcp());
    return registry.claims().sight(cluster, types) instanceof Sight.Full;
  }

  /** Its own primary, and all others that look at the same copy, have to look again. */
  void recordChanged(RelatedRecord record) {
    if (isFor(record.holder())) {
      lookAgain.accept(record.holder().primary());
    }
    index.primariesOf(record.copy()).forEach(lookAgain);
  }

  private void note(ObjectKey key, Map<String, String> missing) {
    if (missing.isEmpty()) {
      notYet.remove(key);
    } else if (notYet.size() < NOT_YET_MAX || notYet.containsKey(key)) {
      notYet.put(key, missing.toString());
    }
  }

  private void changed(TypeWatches.Side side, ResourceType type, Change change) {
    Spot spot = spot(side, type, change.latest(), change.key());
    if (type.equals(RelatedClaims.BINDINGS)) {
      Stream.concat(
              !entries.isEmpty() || rules.workspacePaths() == WorkspacePaths.ON
                  ? primaries.keys().stream()
                  : Stream.empty(),
              recordedPrimaries())
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
