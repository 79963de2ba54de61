package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One pass's way to one write: what a server refuses keeps nothing else from its turn, and has its
 * next one after all others. One thread.
 */
public final class RelatedAttempts {
  /** Requests that may come to nothing in one pass. */
  private static final int REFUSED_MAX = 10;

  private static final int INTERNAL_ERROR = 500;

  private final RelatedExecutor executor;
  private final RefusedActions before;
  private final ObjectKey key;
  private final KubeObject primary;
  private final KubeClient workspace;
  private final List<Guarded> refusedBefore = new ArrayList<>();
  private Optional<KubeFailure> failure = Optional.empty();
  private Progress held = new Progress.Settled();
  private int refused;

  /** What has to be asked before an action. */
  @FunctionalInterface
  public interface Guard {
    /** Why it must not be done; empty if it may. */
    Optional<Progress> against(RelatedAction action);
  }

  private record Guarded(RelatedAction action, Guard guard) {}

  /**
   * @param primary in kcp, as it was seen
   * @param workspace of the primary
   */
  public RelatedAttempts(
      RelatedExecutor executor,
      RefusedActions before,
      ObjectKey key,
      KubeObject primary,
      KubeClient workspace) {
    this.executor = executor;
    this.before = before;
    this.key = key;
    this.primary = primary;
    this.workspace = workspace;
  }

  /**
   * The first of these that goes through, or turns out to be late; empty if there is none. Those
   * that were refused before are left for the {@link #end}.
   */
  public Optional<Progress> oneOf(List<RelatedAction> actions, Guard guard) {
    for (RelatedAction action : actions) {
      var guarded = new Guarded(action, guard);
      if (before.lastTurn(key, action) > 0) {
        refusedBefore.add(guarded);
      } else {
        Optional<Progress> progress = attempt(guarded);
        if (progress.isPresent()) {
          return progress;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * What was refused before, as nothing else is left.
   *
   * @param otherwise where there is nothing of that either; or what keeps it from being done, if
   *     that is worse
   * @throws KubeFailure the first refusal of this pass, if nothing went through
   */
  public Progress end(Progress otherwise) {
    refusedBefore.sort(Comparator.comparing(guarded -> before.lastTurn(key, guarded.action())));
    for (Guarded guarded : refusedBefore) {
      Optional<Progress> progress = attempt(guarded);
      if (progress.isPresent()) {
        return progress.get();
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (refusedBefore.isEmpty() && held instanceof Progress.Settled) {
      before.forget(key);
    }
    return otherwise.orWorse(held);
  }

  /** What could not even be read: others do not depend on it. */
  public void failed(KubeFailure e) {
    if (failure.isEmpty()) {
      failure = Optional.of(e);
    }
  }

  private Optional<Progress> attempt(Guarded guarded) {
    RelatedAction action = guarded.action();
    if (refused == REFUSED_MAX) {
      return Optional.empty();
    }
    try {
      Optional<Progress> against = guarded.guard().against(action);
      if (against.isPresent()) {
        held = held.orWorse(against.get());
        return Optional.empty();
      }
      return switch (executor.execute(primary, action, workspace)) {
        case DONE -> {
          before.wentThrough(key, action);
          yield Optional.of(new Progress.Wrote());
        }
        case OUTDATED -> {
          before.refused(key, action);
          yield Optional.of(new Progress.Stale());
        }
      };
    } catch (KubeFailure e) {
      before.refused(key, action);
      if (!isRefusal(e)) {
        throw e;
      }
      refused++;
      failed(e);
    } catch (StateTooLarge e) {
      before.refused(key, action);
      held = held.orWorse(new Progress.Refused("StateTooLarge", e.getMessage()));
    }
    return Optional.empty();
  }

  /** A server's word about this very request, rather than about its own state. */
  public static boolean isRefusal(KubeFailure failure) {
    return switch (failure.kind()) {
      case INVALID, FORBIDDEN, TOO_LARGE, NOT_SERVED -> true;
      // A webhook that does not answer.
      case UNAVAILABLE -> failure.code() == INTERNAL_ERROR;
      case NOT_FOUND, ALREADY_EXISTS, CONFLICT, UNAUTHORIZED, GONE -> false;
    };
  }
}
