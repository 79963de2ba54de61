package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.related.RelatedPlanning.Planned;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.RelatedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Makes the first of the planned writes that can be made. An action that a server refuses blocks no
 * other, and is attempted after all others in the next pass. Thread-safe.
 */
final class RelatedWriter {
  /** Requests that may be refused in one pass. */
  private static final int REFUSED_MAX = 10;

  private final PermissionClaims claims;
  private final RelatedExecutor executor;
  private final RewriteBackoff<ObjectRef> rewrites;

  /** By primary, when each action last had no success; greater for a later attempt. */
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> refused =
      new ConcurrentHashMap<>();

  private final AtomicLong attempts = new AtomicLong();

  /**
   * The kind of action, and its object.
   *
   * @param ref empty for the primary itself
   */
  private record Subject(Class<?> action, Optional<ObjectRef> ref) {
    static Subject of(RelatedAction action) {
      return new Subject(
          action.getClass(),
          switch (action) {
            case RelatedAction.Write write -> Optional.of(write.at());
            case RelatedAction.RecordWrite write -> Optional.of(write.record().copy());
            case RelatedAction.AnnotatePrimary _ -> Optional.empty();
          });
    }
  }

  private record Rewrite(ObjectRef copy, Object content) {}

  RelatedWriter(
      PermissionClaims claims, RelatedExecutor executor, RewriteBackoff<ObjectRef> rewrites) {
    this.claims = claims;
    this.executor = executor;
    this.rewrites = rewrites;
  }

  /**
   * Makes at most one write.
   *
   * @param due of the planning
   * @return settled if nothing is due and nothing is to be reported
   * @throws KubeFailure the first refusal, if nothing was written
   */
  Progress write(RelatedPlanning planning, Stream<Planned> due) {
    ObjectKey key = planning.primary().key();
    Progress blocked = new Progress.Settled();
    boolean isAnyDue = false;
    int refusals = 0;
    for (Planned next : (Iterable<Planned>) inTurn(key, due)::iterator) {
      isAnyDue = true;
      if (refusals == REFUSED_MAX) {
        continue; // the entries that follow are planned all the same
      }
      try {
        Optional<Progress> why = blocked(next, planning);
        if (why.isEmpty()) {
          return execute(next.action(), planning);
        }
        blocked = blocked.orWorse(why.get());
      } catch (KubeFailure e) {
        refused(key, next.action());
        if (!RelatedExecutor.isRefusal(e)) {
          throw e;
        }
        refusals++;
        planning.failed(e);
      } catch (StateTooLarge e) {
        refused(key, next.action());
        blocked =
            blocked.orWorse(new Progress.Refused("StateTooLarge", String.valueOf(e.getMessage())));
      }
    }
    if (planning.failure().isPresent()) {
      throw planning.failure().get();
    }
    if (!isAnyDue) {
      forget(key);
    }
    return planning.progress().orWorse(blocked);
  }

  /** The primary is deleted, or nothing of it is due. */
  void forget(ObjectKey primary) {
    refused.remove(primary);
  }

  /** Those that were not refused, in order, then those that were, the latest last. Lazy. */
  private Stream<Planned> inTurn(ObjectKey primary, Stream<Planned> due) {
    var refusedBefore = new ArrayList<Planned>();
    Stream<Planned> others =
        due.mapMulti((one, next) -> {
          if (lastAttempt(primary, one) == 0) {
            next.accept(one);
          } else {
            refusedBefore.add(one);
          }
        });
    return Stream.concat(
        others,
        Stream.of(refusedBefore)
            .flatMap(all ->
                all.stream().sorted(Comparator.comparing(one -> lastAttempt(primary, one)))));
  }

  /** Greater for a later attempt; 0 if the last one had success. */
  private long lastAttempt(ObjectKey primary, Planned planned) {
    return refused.getOrDefault(primary, Map.of()).getOrDefault(Subject.of(planned.action()), 0L);
  }

  private void refused(ObjectKey primary, RelatedAction action) {
    refused
        .computeIfAbsent(primary, _ -> new ConcurrentHashMap<>())
        .put(Subject.of(action), attempts.incrementAndGet());
  }

  /** Why the action must not be executed now; empty if it may be. */
  private Optional<Progress> blocked(Planned planned, RelatedPlanning planning) {
    KubeClient workspace = planning.workspace();
    RelatedAction action = planned.action();
    return planned
        .visibility()
        .flatMap(visibility ->
            visibility
                .violatedBy(action, claims, workspace)
                .or(() -> executor.precededBy(action, planning.primary().inKcp(), workspace)))
        .or(() -> rewrite(action).flatMap(this::undone));
  }

  private Progress execute(RelatedAction action, RelatedPlanning planning) {
    Primary primary = planning.primary();
    return switch (executor.execute(primary.inKcp(), action, planning.workspace())) {
      case DONE -> {
        refused.computeIfPresent(
            primary.key(),
            (_, subjects) -> {
              subjects.remove(Subject.of(action));
              return subjects.isEmpty() ? null : subjects;
            });
        rewrite(action).ifPresent(done -> rewrites.wrote(done.copy(), done.content()));
        yield new Progress.Wrote();
      }
      case STALE -> {
        refused(primary.key(), action);
        yield new Progress.Stale();
      }
    };
  }

  /** What the action writes to a copy; empty if it writes none. */
  private static Optional<Rewrite> rewrite(RelatedAction action) {
    return switch (action) {
      case RelatedAction.CreateCopy(var at, var desired) ->
          Optional.of(new Rewrite(at, SyncedContent.of(desired)));
      case RelatedAction.PatchCopy(var at, var _, var patch, var recorded) when !patch.isEmpty() ->
          Optional.of(new Rewrite(at, recorded.lastKnown()));
      default -> Optional.empty();
    };
  }

  private Optional<Progress> undone(Rewrite write) {
    Duration delay = rewrites.delay(write.copy(), write.content());
    return delay.isZero()
        ? Optional.empty()
        : Optional.of(
            new Progress.Refused(
                RewriteBackoff.REASON,
                ("%s \"%s\", a copy of a related object, is removed or changed whenever it is"
                        + " written, so that it is written ever more rarely. Find the controller or"
                        + " webhook that does that, or do not relate the object.")
                    .formatted(write.copy().type().qualified(), write.copy().namespacedName()),
                delay));
  }
}
