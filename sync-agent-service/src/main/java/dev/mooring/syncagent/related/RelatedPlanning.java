package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.ReadSet;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedPlan;
import dev.mooring.syncagent.related.decide.RelatedPlanner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedSet;
import dev.mooring.syncagent.related.decide.Resolution;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Gathers and plans the related objects of one primary, entry by entry. What is due is a lazy
 * stream: an entry is read once nothing could be written for those before it. Writes nothing. For
 * one pass and one thread.
 */
final class RelatedPlanning {
  /** Objects that change faster than this requeue their primary anyway. */
  private static final int GATHER_MAX = 3;

  private final RelatedReader reader;
  private final RelatedSyncFactory shared;
  private final ReadSetIndex index;
  private final Primary primary;
  private final ObjectKey key;
  private final Optional<URI> endpoint;
  private final KubeClient workspace;
  private final TreeMap<String, String> pending = new TreeMap<>();

  /**
   * Copies that entries may name and have not recorded: a copy that was created for an entry that
   * was removed, or renamed, stays until they have.
   */
  private final Set<ObjectRef> unrecorded = new HashSet<>();

  /** Types of copies of entries that could not be resolved: all of these may be named. */
  private final Set<CopyType> unresolved = new HashSet<>();

  private ReadSet readSet = ReadSet.EMPTY;
  private Progress progress = new Progress.Settled();
  private Optional<KubeFailure> failure = Optional.empty();

  private record CopyType(Side side, String type) {}

  /**
   * One write that is due.
   *
   * @param visibility what it was decided by; empty while the primary is being deleted, when it is
   *     not checked again
   */
  record Planned(RelatedAction action, Optional<Visibility> visibility) {}

  /**
   * @param endpoint by which the primary is seen
   * @param workspace of the primary
   */
  RelatedPlanning(
      RelatedReader reader,
      RelatedSyncFactory shared,
      ReadSetIndex index,
      Primary primary,
      Optional<URI> endpoint,
      KubeClient workspace) {
    this.reader = reader;
    this.shared = shared;
    this.index = index;
    this.primary = primary;
    this.key = primary.key();
    this.endpoint = endpoint;
    this.workspace = workspace;
  }

  Primary primary() {
    return primary;
  }

  KubeClient workspace() {
    return workspace;
  }

  /** What is to be reported of the entries that were planned, where nothing is written. */
  Progress progress() {
    return progress;
  }

  /** The first request that was refused. */
  Optional<KubeFailure> failure() {
    return failure;
  }

  void failed(KubeFailure refusal) {
    failure = failure.or(() -> Optional.of(refusal));
  }

  /**
   * While the primary exists.
   *
   * @param before what is to be reported of the primary anyway
   * @param pendingKnown receives, by entry, why the primary does not name its objects yet, once all
   *     were planned
   */
  Stream<Planned> sync(Progress before, Consumer<Map<String, String>> pendingKnown) {
    report(before);
    return Stream.concat(
        reader.rules().entries().stream().flatMap(this::sync),
        later(() -> {
          pendingKnown.accept(pending);
          return former(this::syncFormer);
        }));
  }

  /** While the primary is being deleted, before its copy is. */
  Stream<Planned> keep() {
    return end(RelatedPlanner::keep);
  }

  /** Once the primary's copy is gone. */
  Stream<Planned> cleanUp() {
    return end(RelatedPlanner::cleanUp);
  }

  /** After the deletion of a primary that did not wait. */
  Stream<Planned> cleanUpOrphaned() {
    return reader.all(key).stream()
        .flatMap(entry -> {
          Visibility visibility = visibility(entry);
          return isReady(visibility, reader.isSyncedAsRecorded(entry, key))
              ? plan(RelatedPlanner.cleanUp(gatherRecorded(visibility)))
              : Stream.empty();
        });
  }

  private Stream<Planned> end(Function<RelatedSet, List<RelatedPlan>> planner) {
    if (!shared.records.isSynced()) {
      return former(_ -> Stream.empty());
    }
    return Stream.concat(
        reader.rules().entries().stream().flatMap(entry -> end(entry, planner)),
        later(() ->
            former(former -> {
              Visibility visibility = visibility(former);
              return isReady(visibility)
                  ? plan(planner.apply(gatherRecorded(visibility)))
                  : Stream.empty();
            })));
  }

  private static Stream<Planned> later(Supplier<Stream<Planned>> planned) {
    return Stream.of(planned).flatMap(Supplier::get);
  }

  /** For each entry that was removed. */
  private Stream<Planned> former(Function<RelatedResource, Stream<Planned>> plan) {
    if (!shared.records.isSynced()) {
      report(new Progress.NotSynced(""));
      return Stream.empty();
    }
    return reader.former(key, primary.inKcp()).stream().flatMap(plan);
  }

  private Stream<Planned> sync(RelatedResource entry) {
    Visibility visibility = visibility(entry);
    Optional<RelatedSet> seen = isReady(visibility) ? gather(visibility) : Optional.empty();
    if (seen.isEmpty()) {
      unresolved(entry);
      return Stream.empty();
    }
    RelatedSet copies = seen.get();
    Resolution resolution = copies.resolution();
    if (resolution.outcome() instanceof Resolution.Outcome.Unclear) {
      unresolved(entry);
    }
    copies.present().stream()
        .filter(one -> one.record().filter(RelatedRecord::isDone).isEmpty())
        .forEach(one -> unrecorded.add(one.copy().ref()));
    report(entry, resolution);
    return plan(RelatedPlanner.sync(copies), Optional.of(visibility));
  }

  /** Every copy of a removed entry is removed, but for those that other entries name. */
  private Stream<Planned> syncFormer(RelatedResource former) {
    Visibility visibility = visibility(former);
    return isReady(visibility)
        ? plan(
            RelatedPlanner.sync(gatherRecorded(visibility).without(this::mayBeNamed)),
            Optional.of(visibility))
        : Stream.empty();
  }

  private boolean mayBeNamed(ObjectRef copy) {
    return unrecorded.contains(copy)
        || unresolved.contains(new CopyType(copy.side(), copy.type().qualified()));
  }

  private void unresolved(RelatedResource entry) {
    unresolved.add(new CopyType(entry.origin().other(), entry.copyType().qualified()));
  }

  private Stream<Planned> end(
      RelatedResource entry, Function<RelatedSet, List<RelatedPlan>> planner) {
    Visibility visibility = visibility(entry);
    if (reader.records(entry, key).isEmpty()
        && (Progress.hidden(visibility.all()).isPresent() || isTypeMissing(entry))) {
      return Stream.empty(); // no object of it can exist
    }
    return isReady(visibility)
        ? gather(visibility).stream().flatMap(facts -> plan(planner.apply(facts)))
        : Stream.empty();
  }

  private Stream<Planned> plan(List<RelatedPlan> plans) {
    return plan(plans, Optional.empty());
  }

  private Stream<Planned> plan(List<RelatedPlan> plans, Optional<Visibility> visibility) {
    var due = new ArrayList<Planned>();
    for (RelatedPlan plan : plans) {
      switch (plan) {
        case RelatedAction action -> due.add(new Planned(action, visibility));
        case Progress reported -> report(reported);
      }
    }
    return due.stream();
  }

  /** Throws {@link KubeFailure} if the virtual workspace does not say. */
  private boolean isTypeMissing(RelatedResource entry) {
    return reader.isNotServed(Side.SERVICE, entry)
        || reader.isNotServed(Side.KCP, entry)
            && PermissionClaims.isUnserved(workspace, entry.types().inKcp());
  }

  private Visibility visibility(RelatedResource entry) {
    return Visibility.of(entry, reader.records(entry, key), key.cluster(), shared.claims);
  }

  /** Whether decisions about the entry can be made; reports why not. */
  private boolean isReady(Visibility visibility) {
    return isReady(visibility, reader.isSynced(visibility.entry(), key, endpoint));
  }

  private boolean isReady(Visibility visibility, boolean isSynced) {
    Optional<Progress> hidden = Progress.hidden(visibility.all());
    if (hidden.isPresent()) {
      report(hidden.get());
      return false;
    }
    if (!isSynced) {
      Optional<KubeFailure> why = reader.failure(visibility.entry(), key);
      report(new Progress.NotSynced(why.map(KubeFailure::getMessage).orElse("")));
    }
    return isSynced;
  }

  /** Empty if that is not possible, which is reported. */
  private Optional<RelatedSet> gather(Visibility visibility) {
    RelatedResource entry = visibility.entry();
    try {
      return Optional.of(indexed(() -> reader.gather(entry, primary, visibility, workspace)));
    } catch (KubeFailure e) {
      if (!RelatedExecutor.isRefusal(e)) {
        throw e;
      }
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        report(new Progress.NotSynced(e.getMessage()));
      } else {
        failed(e);
      }
      return Optional.empty();
    }
  }

  private RelatedSet gatherRecorded(Visibility visibility) {
    return indexed(() -> reader.gatherRecorded(visibility.entry(), primary, visibility));
  }

  /**
   * An object has to be in the index before it is read, so that no change of it is missed, and only
   * reading says which objects are read: so all is read again if the index did not have them.
   */
  private RelatedSet indexed(Supplier<RelatedSet> gathering) {
    RelatedSet facts = gathering.get();
    for (int i = 0; i < GATHER_MAX; i++) {
      if (!index.extend(key, readSet.and(facts.readSet()))) {
        break;
      }
      facts = gathering.get();
    }
    readSet = readSet.and(facts.readSet());
    return facts;
  }

  private void report(Progress reported) {
    progress = progress.orWorse(reported);
  }

  private void report(RelatedResource entry, Resolution resolution) {
    if (resolution.pairs().isEmpty() && reader.rules().misnamed().contains(entry.identifier())) {
      report(
          new Progress.Warned(
              "UnknownPath",
              ("Related object \"%s\" is not found: the service provider's PublishedResource looks"
                      + " for it in a field that no object of this type can have. The provider"
                      + " has to correct that.")
                  .formatted(entry.identifier())));
    }
    switch (resolution.outcome()) {
      case Resolution.Outcome.Complete() -> {}
      case Resolution.Outcome.Pending(var why) -> pending.put(entry.identifier(), why);
      case Resolution.Outcome.Unclear(var reason, var why) ->
          report(
              new Progress.Refused(
                  reason, "Related object \"" + entry.identifier() + "\": " + why + "."));
    }
  }
}
