package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.Actor.Finalizers;
import dev.mooring.depwebhook.race.decide.Actor.Result;
import dev.mooring.depwebhook.race.decide.Actor.Role;
import dev.mooring.depwebhook.race.decide.Actor.State;
import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import java.util.List;

/**
 * Once all requests have ended, each request alone succeeds: after every record has expired in any
 * case, at once if nothing broke. The exception: a deletion is refused as long as a creation may
 * still be pending whose object is gone.
 */
record Aftermath(Reviews reviews) {
  /** By then everything has expired. */
  private static final int LONG = 20;

  void check(World end) {
    alone(end.later(LONG, reviews.index()), "after everything expired");
    if (end.flawless()) {
      alone(end, "although nothing broke");
    }
  }

  private void alone(World world, String when) {
    var phase = world.target().map(World.TargetObject::phase);
    if (phase.isEmpty() || phase.get() == LiveTarget.Phase.TERMINATING) {
      return;
    }
    if (result(world, new Role.Create("new")) != Result.CARRIED_OUT) {
      throw new Violation("a reference alone is refused " + when, world);
    }
    Result expected =
        world.anythingRefers() || reviews.mayBePending(world) ? Result.REFUSED : Result.CARRIED_OUT;
    World known = world.later(0, 0);
    if (result(known, new Role.DeleteTarget(Finalizers.NONE)) != expected) {
      throw new Violation("a deletion alone does not come to " + expected + " " + when, world);
    }
  }

  /** Without faults, with a list or an index that is up to date. */
  private Result result(World world, Role role) {
    World now =
        world.actors(List.of(new Actor("alone", role, 0, new State.Waiting()))).unbreakable();
    var steps = new Exploration(reviews, 0);
    while (true) {
      Actor actor = now.actors().getFirst();
      if (actor.state() instanceof State.Over(Result result)) {
        return result;
      }
      now = reviews.settled(steps.next(now).getFirst());
    }
  }
}
