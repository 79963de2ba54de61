package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.ConsumerView;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.RelatedRegistry;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.resolve.Primary;
import dev.mooring.syncagent.related.resolve.ReadSet;
import dev.mooring.syncagent.related.resolve.ReadSetIndex;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.share.decide.ClaimVisibility;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import dev.mooring.syncagent.related.sync.decide.RelatedPlan;
import dev.mooring.syncagent.related.sync.decide.RelatedPlanner;
import dev.mooring.syncagent.related.sync.decide.RelatedPlans;
import dev.mooring.syncagent.related.sync.decide.RelatedSet;
import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One look at everything beside one primary, up to the first write. One thread. */
public final class RelatedPass {
  private static final String REJECTED = "ClaimRejected";
  private static final Set<ResourceType> NAMESPACES = Set.of(ResourceType.core("namespaces"));

  /** Objects that change faster than this bring their primary back anyway. */
  private static final int GATHER_MAX = 3;

  private final Tools tools;
  private final RelatedReader reader;
  private final Primary seen;
  private final ObjectKey key;
  private final Optional<URI> endpoint;
  private final KubeClient workspace;
  private final RelatedAttempts attempts;
  private final TreeMap<String, String> pending = new TreeMap<>();
  private final UnresolvedCopies undecided = new UnresolvedCopies();
  private ReadSet looked = ReadSet.EMPTY;
  private Progress result;

  /** What all passes of one published type work with. */
  public record Tools(
      RelatedRules rules,
      RelatedRegistry registry,
      RelatedReader reader,
      RelatedExecutor executor,
      ReadSetIndex index,
      RefusedActions refused,
      ConsumerView primaries) {}

  /**
   * @param workspace of the primary
   * @param before what is to be said of the primary anyway
   */
  public RelatedPass(Tools tools, Primary seen, KubeClient workspace, Progress before) {
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
  public Map<String, String> pending() {
    return pending;
  }

  /** While the primary lives; empty if nothing was written. */
  public Optional<Progress> sync() {
    for (RelatedResource entry : tools.rules().entries()) {
      Optional<Progress> wrote = sync(entry);
      if (wrote.isPresent()) {
        return wrote;
      }
    }
    if (!tools.registry().records().isSynced()) {
      result = result.orWorse(new Progress.NotSynced(""));
      return Optional.empty();
    }
    for (RelatedResource former : reader.former(key, seen.inKcp())) {
      Optional<Progress> wrote = syncFormer(former);
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
  public Progress end() {
    return attempts.end(result);
  }

  private Optional<Progress> sync(RelatedResource entry) {
    View view = view(entry);
    Optional<Progress> notReady = notReady(entry, view);
    if (notReady.isPresent()) {
      note(notReady.get());
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
    return carryOut(entry, view, RelatedPlanner.sync(gathered.get().set()));
  }

  /** Of an entry that is no longer there, nothing stays but what others call for. */
  private Optional<Progress> syncFormer(RelatedResource former) {
    View view = view(former);
    Optional<Progress> notReady = notReady(former, view);
    if (notReady.isPresent()) {
      note(notReady.get());
      return Optional.empty();
    }
    RelatedSet set = gatherRecorded(former, view).set().without(undecided::mayCallFor);
    return carryOut(former, view, RelatedPlanner.sync(set));
  }

  private Optional<Progress> carryOut(RelatedResource entry, View view, RelatedPlans plans) {
    note(progress(plans.otherwise()));
    return attempts.oneOf(plans.actions(), action -> against(entry, view, action));
  }

  /** While the primary goes; settled once it need not wait any more. */
  public Progress cleanUp() {
    if (!tools.registry().records().isSynced()) {
      return new Progress.NotSynced("");
    }
    for (RelatedResource entry : tools.rules().entries()) {
      View view = view(entry);
      boolean isNothingKnown = reader.records(entry, key).isEmpty() && hidden(view).isPresent();
      if (isNothingKnown || reader.isOfNoType(entry, key, workspace)) {
        continue; // what could be seen or recorded of it is not there
      }
      Optional<Progress> wrote = cleanUp(notReady(entry, view), () -> gather(entry, view));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    for (RelatedResource former : reader.former(key, seen.inKcp())) {
      View view = view(former);
      Optional<Progress> wrote =
          cleanUp(notReady(former, view), () -> Optional.of(gatherRecorded(former, view)));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    return end();
  }

  /** After the end of a primary that did not wait. */
  public Progress cleanUpOrphaned() {
    for (RelatedResource entry : reader.recorded(key)) {
      View view = view(entry);
      Optional<Progress> notReady =
          hidden(view).or(() -> unlessSynced(entry, reader.isSynced(entry, key)));
      Optional<Progress> wrote = cleanUp(notReady, () -> Optional.of(gatherRecorded(entry, view)));
      if (wrote.isPresent()) {
        return wrote.get();
      }
    }
    return end();
  }

  private Optional<Progress> cleanUp(
      Optional<Progress> notReady, Supplier<Optional<Gathered>> gathering) {
    if (notReady.isPresent()) {
      note(notReady.get());
      return Optional.empty();
    }
    return gathering
        .get()
        .flatMap(gathered -> {
          RelatedPlans plans = RelatedPlanner.cleanUp(gathered.set());
          note(progress(plans.otherwise()));
          return attempts.oneOf(plans.actions(), _ -> Optional.empty());
        });
  }

  /**
   * What the consumer shows of an entry's types.
   *
   * @param namespaces in kcp, where they are selected
   */
  private record View(
      Set<ResourceType> types, ClaimVisibility objects, ClaimVisibility namespaces) {}

  private View view(RelatedResource entry) {
    Set<ResourceType> types = reader.typesInKcp(entry, key);
    return new View(
        types,
        tools.registry().claims().visibility(key.cluster(), types),
        RelatedReader.selectsNamespaces(entry)
            ? namespaceVisibility()
            : new ClaimVisibility.Full());
  }

  private ClaimVisibility namespaceVisibility() {
    return tools.registry().claims().visibility(key.cluster(), NAMESPACES);
  }

  /** What keeps the entry from being looked at; empty if nothing does. */
  private Optional<Progress> notReady(RelatedResource entry, View view) {
    return hidden(view).or(() -> unlessSynced(entry, reader.isSynced(entry, key, endpoint)));
  }

  private Optional<Progress> unlessSynced(RelatedResource entry, boolean isSynced) {
    return isSynced
        ? Optional.empty()
        : Optional.of(
            new Progress.NotSynced(
                reader.failure(entry, key).map(KubeFailure::getMessage).orElse("")));
  }

  private static Optional<Progress> hidden(View view) {
    return hidden(view.objects().or(view.namespaces()));
  }

  private static Optional<Progress> hidden(ClaimVisibility visibility) {
    return switch (visibility) {
      case ClaimVisibility.Full _, ClaimVisibility.Partial _ -> Optional.empty();
      case ClaimVisibility.Pending _ -> Optional.of(new Progress.Waiting());
      case ClaimVisibility.None(var why) -> Optional.of(new Progress.Refused(REJECTED, why));
    };
  }

  /** Why an action must not be done, by what the server says at this moment. */
  private Optional<Progress> against(RelatedResource entry, View view, RelatedAction action) {
    return switch (action) {
      case RelatedAction.DeleteCopy(var _, var _, var unseen) ->
          unseen.filter(this::isThere).isPresent() || isOutdated(entry, view)
              ? Optional.of(new Progress.Stale())
              : Optional.empty();
      case RelatedAction.DeleteRecord _ ->
          isOutdated(entry, view) ? Optional.of(new Progress.Stale()) : Optional.empty();
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          hidden(namespaceVisibility());
      default -> Optional.empty();
    };
  }

  /** Asked before the bindings are: they are to tell why it is not, if they do. */
  private boolean isThere(ObjectRef ref) {
    try {
      return PermissionClaims.findNow(workspace, ref).isPresent();
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
    return !PermissionClaims.visibilityNow(workspace, key.cluster(), types)
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
        note(new Progress.NotSynced(e.getMessage()));
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
      case Resolution.Outcome.Pending(var why) -> pending.put(entry.identifier(), why);
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
      case RelatedPlan.Act _ -> new Progress.Stale();
    };
  }
}
