package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.fleet.ConsumerView;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.related.RelatedIndex.Looked;
import dev.mooring.syncagent.related.RelatedReader.Gathered;
import dev.mooring.syncagent.related.RelatedReader.Seen;
import dev.mooring.syncagent.related.RelatedReconciler.Progress;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedPlan;
import dev.mooring.syncagent.related.decide.RelatedPlanner;
import dev.mooring.syncagent.related.decide.RelatedPlans;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSet;
import dev.mooring.syncagent.related.decide.Resolution;
import dev.mooring.syncagent.related.decide.Sight;
import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One look at everything beside one primary, up to the first write. One thread. */
final class RelatedPass {
  private static final String REJECTED = "ClaimRejected";
  private static final Set<ResourceType> NAMESPACES = Set.of(ResourceType.core("namespaces"));

  /** Objects that change faster than this bring their primary back anyway. */
  private static final int GATHER_MAX = 3;

  private final Tools tools;
  private final RelatedReader reader;
  private final Seen seen;
  private final ObjectKey key;
  private final Optional<URI> endpoint;
  private final KubeClient workspace;
  private final RelatedAttempts attempts;
  private final TreeMap<String, String> notYet = new TreeMap<>();
  private final Undecided undecided = new Undecided();
  private Looked looked = Looked.NOWHERE;
  private Progress result;

  /** What all passes of one published type work with. */
  record Tools(
      RelatedReconciler.Rules rules,
      RelatedRegistry registry,
      RelatedReader reader,
      RelatedExecutor executor,
      RelatedIndex index,
      RefusedActions refused,
      ConsumerView primaries) {}

  /**
   * @param workspace of the primary
   * @param before what is to be said of the primary anyway
   */
  RelatedPass(Tools tools, Seen seen, KubeClient workspace, Progress before) {
    this.tools = tools;
    this.reader = tools.reader();
    this.seen = seen;
    this.key = seen.key();
    this.endpoint = tools.primaries().endpointOf(key);
    this.workspace = workspace;
    this.attempts =
        new RelatedAttempts(tools.executor(), tools.refused(), key, seen.inKcp(), workspace);
    this.result = before;
  }

  /** By entry, why the primary does not name its objects yet. */
  Map<String, String> notYet() {
    return notYet;
  }

  /** While the primary lives; empty if nothing was written. */
  Optional<Progress> keepInStep() {
    for (RelatedResource entry : tools.rules().entries()) {
      Optional<Progress> wrote = keepInStep(entry);
      if (wrote.isPresent()) {
        return wrote;
      }
    }
    if (!tools.registry().records().isSynced()) {
      result = result.orWorse(new Progress.Unfilled(""));
      return Optional.empty();
    }
    for (RelatedResource former : reader.former(key, seen.inKcp())) {
      Optional<Progress> wrote = keepInStepFormer(former);
      if (wrote.isPresent()) {
        return wrote;
      }
    }
    return Optional.empty();
  }

  /**
   * What was refused before, and then what there is to say.
   *
   * @throws KubeFailure if a server refused something, and nothing was written
   */
  Progress end() {
    return attempts.end(result);
  }

  private Optional<Progress> keepInStep(RelatedResource entry) {
    View view = view(entry);
    Optional<Progress> hindered = hindered(entry, view);
    if (hindered.isPresent()) {
      note(hindered.get());
      undecided.all(entry);
      return Optional.empty();
    }
    Optional<Gathered> gathered = gather(entry, view);
    if (gathered.isEmpty()) {
      undecided.all(entry);
      return Optional.empty();
    }
    undecided.of(entry, gathered.get());
    note(entry, gathered.get().resolution());
    return carryOut(entry, view, RelatedPlanner.keepInStep(gathered.get().set()));
  }

  /** Of an entry that is no longer there, nothing stays but what others call for. */
  private Optional<Progress> keepInStepFormer(RelatedResource former) {
    View view = view(former);
    Optional<Progress> hindered = hindered(former, view);
    if (hindered.isPresent()) {
      note(hindered.get());
      return Optional.empty();
    }
    RelatedSet set = gatherRecorded(former, view).set().without(undecided::mayCallFor);
    return carryOut(former, view, RelatedPlanner.keepInStep(set));
  }

  private Optional<Progress> carryOut(RelatedResource entry, View view, RelatedPlans plans) {
    note(progress(plans.otherwise()));
    return attempts.oneOf(plans.actions(), action -> against(entry, view, action));
  }

  /** While the primary goes; settled once it need not wait any more. */
  Progress windDown() {
    if (!tools.registry().records().isSynced()) {
      return new Progress.Unfilled("");
    }
    for (RelatedResource entry : tools.rules().entries()) {
      View view = view(entry);
      boolean isNothingKnown = reader.records(entry, key).isEmpty() && hidden(view).isPresent();
      if (isNothingKnown || reader.isOfNoType(entry, key, workspace)) {
        continue; // what could be seen or recorded of it is not there
      }
      Optional<Progress> wrote = windDown(hindered(entry, view), () -> gather(entry, view));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    for (RelatedResource former : reader.former(key, seen.inKcp())) {
      View view = view(former);
      Optional<Progress> wrote =
          windDown(hindered(former, view), () -> Optional.of(gatherRecorded(former, view)));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    return end();
  }

  /** After the end of a primary that did not wait. */
  Progress clearAway() {
    for (RelatedResource entry : reader.recorded(key)) {
      View view = view(entry);
      Optional<Progress> hindered =
          hidden(view).or(() -> unlessSynced(entry, reader.isSynced(entry, key)));
      Optional<Progress> wrote = windDown(hindered, () -> Optional.of(gatherRecorded(entry, view)));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    return end();
  }

  private Optional<Progress> windDown(
      Optional<Progress> hindered, Supplier<Optional<Gathered>> gathering) {
    if (hindered.isPresent()) {
      note(hindered.get());
      return Optional.empty();
    }
    return gathering
        .get()
        .flatMap(gathered -> {
          RelatedPlans plans = RelatedPlanner.windDown(gathered.set());
          note(progress(plans.otherwise()));
          return attempts.oneOf(plans.actions(), _ -> Optional.empty());
        });
  }

  /**
   * What the consumer shows of an entry's types.
   *
   * @param namespaces in kcp, where they are selected
   */
  private record View(Set<ResourceType> types, Sight objects, Sight namespaces) {}

  private View view(RelatedResource entry) {
    Set<ResourceType> types = reader.typesInKcp(entry, key);
    return new View(
        types,
        tools.registry().claims().sight(key.cluster(), types),
        RelatedReader.selectsNamespaces(entry) ? sightOfNamespaces() : new Sight.Full());
  }

  private Sight sightOfNamespaces() {
    return tools.registry().claims().sight(key.cluster(), NAMESPACES);
  }

  /** What keeps the entry from being looked at; empty if nothing does. */
  private Optional<Progress> hindered(RelatedResource entry, View view) {
    return hidden(view).or(() -> unlessSynced(entry, reader.isSynced(entry, key, endpoint)));
  }

  private Optional<Progress> unlessSynced(RelatedResource entry, boolean isSynced) {
    return isSynced
        ? Optional.empty()
        : Optional.of(
            new Progress.Unfilled(
                reader.failure(entry, key).map(KubeFailure::getMessage).orElse("")));
  }

  private static Optional<Progress> hidden(View view) {
    return hidden(view.objects().or(view.namespaces()));
  }

  private static Optional<Progress> hidden(Sight sight) {
    return switch (sight) {
      case Sight.Full _, Sight.Part _ -> Optional.empty();
      case Sight.Pending _ -> Optional.of(new Progress.Waiting());
      case Sight.None(var why) -> Optional.of(new Progress.Refused(REJECTED, why));
    };
  }

  /** Why an action must not be done, by what the server says at this moment. */
  private Optional<Progress> against(RelatedResource entry, View view, RelatedAction action) {
    return switch (action) {
      case RelatedAction.DeleteCopy(var _, var _, var unseen) ->
          unseen.filter(this::isThere).isPresent() || isOutdated(entry, view)
              ? Optional.of(new Progress.Outdated())
              : Optional.empty();
      case RelatedAction.DropRecord _ ->
          isOutdated(entry, view) ? Optional.of(new Progress.Outdated()) : Optional.empty();
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          hidden(sightOfNamespaces());
      default -> Optional.empty();
    };
  }

  /** Asked before the bindings are: they are to tell why it is not, if they do. */
  private boolean isThere(Spot spot) {
    try {
      return RelatedClaims.findNow(workspace, spot).isPresent();
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }

  /** Whether the consumer shows more or less than was made use of. */
  private boolean isOutdated(RelatedResource entry, View view) {
    var types = new HashSet<>(view.types());
    if (RelatedReader.selectsNamespaces(entry)) {
      types.addAll(NAMESPACES);
    }
    return !RelatedClaims.sightNow(workspace, key.cluster(), types)
        .equals(view.objects().or(view.namespaces()));
  }

  /** Empty if that is not possible, which is noted. */
  private Optional<Gathered> gather(RelatedResource entry, View view) {
    try {
      return Optional.of(
          look(() -> reader.gather(entry, seen, view.objects(), view.namespaces(), workspace)));
    } catch (KubeFailure e) {
      if (!RelatedAttempts.isRefusal(e)) {
        throw e;
      }
      if (e.kind() == KubeFailure.Kind.NOT_SERVED) {
        note(new Progress.Unfilled(e.getMessage()));
      } else {
        attempts.failed(e);
      }
      return Optional.empty();
    }
  }

  private Gathered gatherRecorded(RelatedResource entry, View view) {
    return look(() -> reader.gatherRecorded(entry, seen, view.objects()));
  }

  /**
   * What a change of is not to be missed has to be in the index before it is read, and only reading
   * tells what it is: so it is read again where that is news.
   */
  private Gathered look(Supplier<Gathered> gathering) {
    Gathered gathered = gathering.get();
    for (int i = 0; i < GATHER_MAX; i++) {
      if (!tools.index().extend(key, looked.and(gathered.looked()))) {
        break;
      }
      gathered = gathering.get();
    }
    looked = looked.and(gathered.looked());
    return gathered;
  }

  private void note(Progress progress) {
    result = result.orWorse(progress);
  }

  private void note(RelatedResource entry, Resolution resolution) {
    switch (resolution.outcome()) {
      case Resolution.Outcome.Complete() -> {}
      case Resolution.Outcome.NotYet(var why) -> notYet.put(entry.identifier(), why);
      case Resolution.Outcome.Unclear(var reason, var why) ->
          note(
              new Progress.Refused(
                  reason, "Related object \"" + entry.identifier() + "\": " + why + "."));
    }
  }

  private static Progress progress(RelatedPlan plan) {
    return switch (plan) {
      case RelatedPlan.InSync() -> new Progress.Settled();
      case RelatedPlan.Await() -> new Progress.Waiting();
      case RelatedPlan.Warn(var reason, var message) -> new Progress.Warned(reason, message);
      case RelatedPlan.Refuse(var reason, var message) -> new Progress.Refused(reason, message);
      case RelatedPlan.Act _ -> new Progress.Outdated();
    };
  }
}
