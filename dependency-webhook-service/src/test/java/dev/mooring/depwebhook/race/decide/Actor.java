package dev.mooring.depwebhook.race.decide;

import java.util.Optional;

/**
 * One request, and the replica of the webhook that reviews it.
 *
 * @param skew by which the replica's clock is ahead, in ticks
 */
record Actor(String id, Role role, int skew, State state) {
  /** What the request is to do. */
  sealed interface Role {
    /** Create a dependent that refers to the target. */
    record Create(String dependent) implements Role {}

    /** Make a dependent that is there refer to the target. */
    record AddReference(String dependent) implements Role {}

    /** Make a dependent no longer refer; nothing reviews that. */
    record DropReference(String dependent) implements Role {}

    /** Delete a dependent. */
    record DeleteDependent(String dependent) implements Role {}

    record DeleteTarget(Finalizers finalizers) implements Role {}

    /** Create the target again, under its name. */
    record CreateTarget() implements Role {}
  }

  /** Whether a deleted target stays for a while. */
  enum Finalizers {
    NONE,
    SOME
  }

  sealed interface State {
    record Waiting() implements State {}

    /**
     * @param saw number of deletions when the target was last read, and whether it was ever there
     */
    record Referring(
        ReferenceStep step, int started, Optional<World.DependentObject> base, Optional<Saw> saw)
        implements State {}

    record Deleting(DeletionStep step, int started, World.TargetObject target) implements State {}

    /** Reviewed and let through; now the API server may carry it out, or not. */
    record ApprovedReference(int started, Optional<World.DependentObject> base, Saw saw)
        implements State {}

    record ApprovedDeletion(int started, World.TargetObject target) implements State {}

    record Over(Result result) implements State {}
  }

  record Saw(int deletions, boolean present) {}

  enum Result {
    CARRIED_OUT,
    REFUSED,
    /** Nothing to do, lost, crashed, or its precondition failed. */
    NOTHING
  }

  Actor now(State next) {
    return new Actor(id, role, skew, next);
  }

  /** Whether nothing about it depends on when it began. */
  boolean timeless() {
    return switch (state) {
      case State.Waiting(), State.Over(_) -> true;
      case State.Referring _,
          State.Deleting _,
          State.ApprovedReference _,
          State.ApprovedDeletion _ ->
          false;
    };
  }

  boolean refused() {
    return state instanceof State.Over(Result result) && result == Result.REFUSED;
  }

  boolean over() {
    return state instanceof State.Over;
  }
}
