package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.Actor.Result;
import dev.mooring.depwebhook.race.decide.Actor.Role;
import dev.mooring.depwebhook.race.decide.Actor.State;
import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import dev.mooring.depwebhook.race.decide.World.DependentObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Every world that can be reached from one: every order of the requests' steps, with time passing,
 * answers lost, accesses failing and replicas crashing in between. Looks at each world once.
 *
 * @param ticks for which time passes while requests are under way
 */
record Exploration(Reviews reviews, int ticks) {
  /**
   * How many worlds there were, and the first violation.
   *
   * @param stalemates ends at which nothing was carried out although nothing broke
   */
  record Found(int worlds, int ends, int stalemates, Optional<String> violation) {}

  /** Hashing a world takes longer than everything else that is done with it. */
  private record Node(World world, int hash) {
    static Node of(World world) {
      return new Node(world, world.hashCode());
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Node that && hash == that.hash && world.equals(that.world);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  Found from(World first) {
    Set<Node> seen = new HashSet<>();
    Deque<World> unseen = new ArrayDeque<>(List.of(first));
    seen.add(Node.of(first));
    int ends = 0;
    int stalemates = 0;
    while (!unseen.isEmpty()) {
      World world = unseen.removeLast();
      try {
        for (World next : next(world)) {
          World settled = reviews.settled(next);
          if (seen.add(Node.of(settled))) {
            unseen.add(settled);
          }
        }
        if (world.actors().stream().allMatch(Actor::over)) {
          ends++;
          stalemates +=
              world.flawless() && world.actors().stream().allMatch(Actor::refused) ? 1 : 0;
          new Aftermath(reviews).check(world);
        }
      } catch (Violation e) {
        return new Found(seen.size(), ends, stalemates, Optional.of(e.getMessage()));
      }
    }
    return new Found(seen.size(), ends, stalemates, Optional.empty());
  }

  List<World> next(World world) {
    var next = new ArrayList<World>();
    if (world.now() < ticks && !world.actors().stream().allMatch(Actor::over)) {
      next.add(world.later(1, reviews.index()));
    }
    if (world.target().filter(t -> t.phase() == LiveTarget.Phase.TERMINATING).isPresent()) {
      next.add(world.targetGone());
    }
    for (int i = 0; i < world.actors().size(); i++) {
      next(world, i, next);
    }
    return next;
  }

  private void next(World world, int i, List<World> next) {
    Actor actor = world.actors().get(i);
    switch (actor.state()) {
      case State.Waiting() -> start(world, i, actor, next);
      case State.Referring referring -> {
        next.addAll(reviews.refer(world, i, actor, referring));
        next.add(lost(world, i));
      }
      case State.Deleting deleting -> {
        next.addAll(reviews.delete(world, i, actor, deleting));
        next.add(lost(world, i));
      }
      case State.ApprovedReference approved -> {
        if (world.now() - approved.started() <= Reviews.COMMIT) {
          next.add(carriedOut(world, i, actor, approved));
        }
        next.add(lost(world, i));
      }
      case State.ApprovedDeletion approved -> {
        if (world.now() - approved.started() <= Reviews.COMMIT) {
          next.add(carriedOut(world, i, actor, approved));
        }
        next.add(lost(world, i));
      }
      case State.Over(_) -> {}
    }
  }

  private void start(World world, int i, Actor actor, List<World> next) {
    switch (actor.role()) {
      case Role.Create(var name) ->
          next.add(world.actor(i, actor.now(reviews.creation(world, actor, name))));
      case Role.AddReference(var name) -> {
        DependentObject base = world.dependents().get(name);
        next.add(
            base == null || base.refers()
                ? world.actor(i, actor.now(new State.Over(Result.NOTHING)))
                : world.actor(i, actor.now(reviews.change(world, actor, name, base))));
      }
      case Role.DropReference(var name) -> {
        DependentObject base = world.dependents().get(name);
        if (base == null || !base.refers()) {
          next.add(world.actor(i, actor.now(new State.Over(Result.NOTHING))));
        } else {
          var dropped = new DependentObject(base.uid(), base.version() + 1, false);
          next.add(done(world.dependent(name, Optional.of(dropped)), i));
        }
      }
      case Role.DeleteDependent(var name) ->
          next.add(
              world.dependents().containsKey(name)
                  ? done(world.dependent(name, Optional.empty()), i)
                  : world.actor(i, actor.now(new State.Over(Result.NOTHING))));
      case Role.DeleteTarget(_) ->
          next.add(
              world.actor(
                  i,
                  actor.now(
                      world
                          .target()
                          .map(target -> reviews.deletion(world, actor, target))
                          .orElse(new State.Over(Result.NOTHING)))));
      case Role.CreateTarget() ->
          next.add(
              world.target().isEmpty()
                  ? done(world.targetCreated(), i)
                  : world.actor(i, actor.now(new State.Over(Result.NOTHING))));
    }
  }

  private World carriedOut(World world, int i, Actor actor, State.ApprovedReference approved) {
    String name;
    DependentObject after;
    switch (actor.role()) {
      case Role.Create(var dependent) -> {
        name = dependent;
        if (world.dependents().containsKey(name)) {
          return lost(world, i);
        }
        after = new DependentObject(actor.id(), 1, true);
      }
      case Role.AddReference(var dependent) -> {
        name = dependent;
        DependentObject base = approved.base().orElseThrow();
        if (!base.equals(world.dependents().get(name))) {
          return lost(world, i);
        }
        after = new DependentObject(base.uid(), base.version() + 1, true);
      }
      default -> throw new AssertionError(actor);
    }
    boolean there = world.target().filter(t -> t.phase() == LiveTarget.Phase.ACTIVE).isPresent();
    if (!there && (approved.saw().present() || world.deletions() > approved.saw().deletions())) {
      throw new Violation(actor.id() + " came to refer to a target that was deleted", world);
    }
    return done(world.dependent(name, Optional.of(after)), i);
  }

  private World carriedOut(World world, int i, Actor actor, State.ApprovedDeletion approved) {
    var same = world.target().filter(t -> t.uid().equals(approved.target().uid()));
    if (same.isEmpty()) {
      return lost(world, i);
    }
    if (world.anythingRefers()) {
      throw new Violation(actor.id() + " deleted a target that is referred to", world);
    }
    return done(
        switch (((Role.DeleteTarget) actor.role()).finalizers()) {
          case NONE -> world.targetDeleted(Optional.empty());
          case SOME ->
              world.targetDeleted(
                  Optional.of(
                      new World.TargetObject(
                          approved.target().uid(), LiveTarget.Phase.TERMINATING)));
        },
        i);
  }

  private static World done(World world, int i) {
    return world.actor(i, world.actors().get(i).now(new State.Over(Result.CARRIED_OUT)));
  }

  private static World lost(World world, int i) {
    return world.actor(i, world.actors().get(i).now(new State.Over(Result.NOTHING))).flawed();
  }
}
