package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.decide.Actor.Result;
import dev.mooring.depwebhook.race.decide.Actor.Saw;
import dev.mooring.depwebhook.race.decide.Actor.State;
import dev.mooring.depwebhook.race.decide.DeletionStep.Finding;
import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import dev.mooring.depwebhook.race.decide.World.DependentObject;
import dev.mooring.model.identity.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The webhook's steps on a {@link World}, each with all its outcomes.
 *
 * @param variant what is wrong with them
 * @param patience that references have with deletions
 */
record Reviews(Variant variant, ReferenceStep.Demand demand, Patience patience) {
  /** How long a reference waits for a deletion to be decided. */
  enum Patience {
    NONE,
    /** Until any moment; this is what a replica may do. */
    ANY,
    AS_LONG_AS_IT_TAKES
  }

  /** Ticks after the start of its review within which a request is carried out. */
  static final int COMMIT = 2;

  static final int INDEX_AGE = 2;
  static final int SKEW = 1;
  private static final ResourceType MACHINES = new ResourceType("e.io", "v1", "machines");

  int index() {
    return variant == Variant.TRUSTS_ANY_INDEX ? 100 : INDEX_AGE;
  }

  private RaceTimings timings() {
    return switch (variant) {
      case FORGETS_BEFORE_THE_INDEX_KNOWS ->
          new RaceTimings(
              Duration.ofSeconds(COMMIT), Duration.ofMillis(1), Duration.ofSeconds(SKEW));
      case IGNORES_SKEW -> timings(COMMIT, INDEX_AGE, 0);
      case IGNORES_SLOW_COMMITS -> timings(1, INDEX_AGE, 0);
      default -> timings(COMMIT, INDEX_AGE, SKEW);
    };
  }

  private static RaceTimings timings(int commit, int index, int skew) {
    return new RaceTimings(
        Duration.ofSeconds(commit), Duration.ofSeconds(index), Duration.ofSeconds(skew));
  }

  /** Whether a creation is claimed whose object is gone, or was never seen, and is not expired. */
  boolean mayBePending(World world) {
    Instant now = Instant.ofEpochSecond(world.now());
    return variant != Variant.ABSENT_IS_OVER
        && world.records().referenceClaims().stream()
            .filter(one -> one.request() instanceof ReferenceClaim.Request.Creation)
            .filter(one -> timings().openAt(one.at(), now))
            .anyMatch(one -> {
              DependentObject there = world.dependents().get(one.dependent().name());
              return there == null || !uid(there.uid()).equals(one.dependent().uid());
            });
  }

  /** Uids as the protocol gets to see them. */
  String uid(String real) {
    return variant == Variant.FORGETS_UIDS ? "same" : real;
  }

  State creation(World world, Actor actor, String name) {
    var claim =
        new ReferenceClaim(
            actor.id(),
            new DependentId(MACHINES, "", name, uid(actor.id())),
            "",
            new ReferenceClaim.Request.Creation(),
            clock(world, actor));
    return new State.Referring(first(claim), world.now(), Optional.empty(), Optional.empty());
  }

  State change(World world, Actor actor, String name, DependentObject base) {
    var claim =
        new ReferenceClaim(
            actor.id(),
            new DependentId(MACHINES, "", name, uid(base.uid())),
            "",
            new ReferenceClaim.Request.Change(String.valueOf(base.version())),
            clock(world, actor));
    return new State.Referring(first(claim), world.now(), Optional.of(base), Optional.empty());
  }

  private ReferenceStep first(ReferenceClaim claim) {
    ReferenceStep first = ReferenceStep.first(claim, demand, Recording.RECORDED, timings());
    return variant == Variant.ANNOUNCES_LAST
            && first instanceof ReferenceStep.ClaimReference claimReference
        ? claimReference.claimed()
        : first;
  }

  State deletion(World world, Actor actor, World.TargetObject target) {
    var claim = new DeletionClaim(actor.id(), uid(target.uid()), clock(world, actor));
    DeletionStep first = DeletionStep.first(claim, "", Recording.RECORDED, timings());
    return new State.Deleting(
        variant == Variant.INTENDS_LAST && first instanceof DeletionStep.ClaimDeletion claimDeletion
            ? claimDeletion.claimed()
            : first,
        world.now(),
        target);
  }

  List<World> refer(World world, int i, Actor actor, State.Referring state) {
    Instant clock = clock(world, actor);
    Function<ReferenceStep, State> then = step -> referring(state, step);
    return switch (state.step()) {
      case ReferenceStep.ClaimReference claimReference ->
          written(
              world,
              i,
              w -> w.recorded(r -> claimed(r, claimReference.review().claim(), clock)),
              then.apply(claimReference.claimed()),
              then.apply(claimReference.failed(new Refusal.Unknown("lost"))));
      case ReferenceStep.ReadDeletionClaims read ->
          read(
              world,
              i,
              List.of(then.apply(read.read(world.records()))),
              then.apply(
                  variant == Variant.FAILED_READ_IS_ABSENCE
                      ? read.read(RegisterPage.EMPTY)
                      : read.failed("lost")));
      case ReferenceStep.ReadTarget read -> {
        boolean before = state.saw().filter(Saw::present).isPresent();
        var saw = new Saw(world.deletions(), before || !targets(world).isEmpty());
        ReferenceStep next = read.read(targets(world), clock);
        yield read(
            world,
            i,
            List.of(new State.Referring(next, state.started(), state.base(), Optional.of(saw))),
            then.apply(read.failed("lost")));
      }
      case ReferenceStep.Await await -> waits(world, i, actor, then, await);
      case ReferenceStep.Withdraw withdraw ->
          written(
              world,
              i,
              w -> w.recorded(r -> r.without(withdraw.review().claim().id())),
              then.apply(withdraw.done()),
              then.apply(withdraw.done()));
      case ReferenceStep.Answered(Optional<Refusal> refusal) -> {
        if (refusal.isPresent()) {
          yield List.of(world.actor(i, actor.now(new State.Over(Result.REFUSED))));
        }
        World approved =
            world.actor(
                i,
                actor.now(
                    new State.ApprovedReference(
                        state.started(), state.base(), state.saw().orElseThrow())));
        yield List.of(
            variant == Variant.ANNOUNCES_LAST
                ? approved.recorded(r -> claimed(r, late(world, actor, state), clock))
                : approved);
      }
    };
  }

  /** First what comes to an end. */
  private List<World> waits(
      World world,
      int i,
      Actor actor,
      Function<ReferenceStep, State> then,
      ReferenceStep.Await await) {
    World enough = world.actor(i, actor.now(then.apply(await.enough())));
    World again = world.actor(i, actor.now(then.apply(await.again())));
    return switch (patience) {
      case NONE -> List.of(enough);
      case ANY -> List.of(enough, again);
      case AS_LONG_AS_IT_TAKES -> world.deletionUnderWay() ? List.of() : List.of(again);
    };
  }

  List<World> delete(World world, int i, Actor actor, State.Deleting state) {
    Instant clock = clock(world, actor);
    Function<DeletionStep, State> then =
        step -> new State.Deleting(step, state.started(), state.target());
    return switch (state.step()) {
      case DeletionStep.ClaimDeletion claimDeletion ->
          written(
              world,
              i,
              w -> w.recorded(r -> claimed(r, claimDeletion.review().claim(), clock)),
              then.apply(claimDeletion.claimed()),
              then.apply(claimDeletion.failed(new Refusal.Unknown("lost"))));
      case DeletionStep.ReadReferenceClaims read ->
          read(
              world,
              i,
              List.of(then.apply(read.read(world.records(), clock))),
              then.apply(
                  variant == Variant.FAILED_READ_IS_ABSENCE
                      ? read.read(RegisterPage.EMPTY, clock)
                      : read.failed("lost")));
      case DeletionStep.ReadDependent read ->
          read(
              world,
              i,
              List.of(then.apply(read.read(live(world, read), clock))),
              then.apply(read.failed("lost")));
      case DeletionStep.LookUp lookup ->
          read(
              world,
              i,
              findings(world, lookup).stream().map(f -> then.apply(lookup.found(f))).toList(),
              then.apply(lookup.failed("lost")));
      case DeletionStep.Withdraw withdraw -> {
        DeletionClaim own = withdraw.review().claim();
        yield written(
            world,
            i,
            w -> w.recorded(r -> withdrawn(r, own)),
            then.apply(withdraw.done()),
            then.apply(withdraw.done()));
      }
      case DeletionStep.Answered(var answer) -> {
        if (!(answer instanceof DeletionStep.Answer.Granted)) {
          yield List.of(world.actor(i, actor.now(new State.Over(Result.REFUSED))));
        }
        World approved =
            world.actor(i, actor.now(new State.ApprovedDeletion(state.started(), state.target())));
        var late = new DeletionClaim(actor.id(), uid(state.target().uid()), clock);
        yield List.of(
            variant == Variant.INTENDS_LAST
                ? approved.recorded(r -> claimed(r, late, clock))
                : approved);
      }
    };
  }

  /** With every answer given: that is no access, and nothing can come in between. */
  World settled(World world) {
    World now = world;
    for (int i = 0; i < world.actors().size(); i++) {
      Actor actor = now.actors().get(i);
      if (actor.state() instanceof State.Referring referring
          && referring.step() instanceof ReferenceStep.Answered) {
        now = refer(now, i, actor, referring).getFirst();
      } else if (actor.state() instanceof State.Deleting deleting
          && deleting.step() instanceof DeletionStep.Answered) {
        now = delete(now, i, actor, deleting).getFirst();
      }
    }
    return now;
  }

  private ReferenceClaim late(World world, Actor actor, State.Referring state) {
    State again =
        actor.role() instanceof Actor.Role.Create(var name)
            ? new Reviews(Variant.SOUND, demand, patience).creation(world, actor, name)
            : new Reviews(Variant.SOUND, demand, patience)
                .change(
                    world,
                    actor,
                    ((Actor.Role.AddReference) actor.role()).dependent(),
                    state.base().orElseThrow());
    return ((ReferenceStep.ClaimReference) ((State.Referring) again).step()).review().claim();
  }

  private State referring(State.Referring state, ReferenceStep step) {
    return new State.Referring(step, state.started(), state.base(), state.saw());
  }

  private RegisterPage claimed(RegisterPage to, ReferenceClaim one, Instant clock) {
    return to.with(one, clock, timings()).orElseThrow();
  }

  private RegisterPage claimed(RegisterPage to, DeletionClaim one, Instant clock) {
    return to.with(one, clock, timings()).orElseThrow();
  }

  private RegisterPage withdrawn(RegisterPage from, DeletionClaim own) {
    return variant == Variant.WITHDRAWS_FOR_OTHERS
        ? new RegisterPage(
            from.referenceClaims(),
            from.deletionClaims().stream().filter(one -> !one.uid().equals(own.uid())).toList())
        : from.without(own.id());
  }

  private List<LiveTarget> targets(World world) {
    return world
        .target()
        .map(t ->
            new LiveTarget(
                uid(t.uid()),
                variant == Variant.IGNORES_TERMINATION ? LiveTarget.Phase.ACTIVE : t.phase()))
        .stream()
        .toList();
  }

  private LiveDependent live(World world, DeletionStep.ReadDependent read) {
    DependentObject there = world.dependents().get(read.dependent().name());
    ReferenceClaim claim = read.unread().getFirst();
    boolean creation = claim.request() instanceof ReferenceClaim.Request.Creation;
    if (variant == Variant.ABSENT_IS_OVER && creation && there == null) {
      return new LiveDependent.Present(read.dependent().uid(), "", Relation.DOES_NOT_REFER);
    }
    if (there == null) {
      return new LiveDependent.Absent();
    }
    String version =
        variant == Variant.CHANGES_ARE_OVER ? "another" : String.valueOf(there.version());
    return new LiveDependent.Present(
        uid(there.uid()), version, there.refers() ? Relation.REFERS : Relation.DOES_NOT_REFER);
  }

  /** By a list, or by an index that shows any state that is young enough. */
  private static Set<Finding> findings(World world, DeletionStep.LookUp lookup) {
    if (lookup.referrer().isPresent()) {
      return Set.of(Finding.REFERENCED);
    }
    Set<Finding> findings = EnumSet.of(finding(world.anythingRefers()));
    world.past().forEach(one -> findings.add(finding(one.referred())));
    return findings;
  }

  private static Finding finding(boolean refers) {
    return refers ? Finding.REFERENCED : Finding.FREE;
  }

  /** A write that is carried out, and one whose answer is lost: it was carried out, or was not. */
  private static List<World> written(
      World world, int i, UnaryOperator<World> write, State done, State failed) {
    var next = new ArrayList<World>();
    Actor actor = world.actors().get(i);
    next.add(write.apply(world).actor(i, actor.now(done)));
    if (world.faults() > 0) {
      next.add(write.apply(world).actor(i, actor.now(failed)).faulty());
      next.add(world.actor(i, actor.now(failed)).faulty());
    }
    return next;
  }

  private static List<World> read(World world, int i, List<State> results, State failed) {
    Actor actor = world.actors().get(i);
    var next = new ArrayList<World>();
    results.forEach(result -> next.add(world.actor(i, actor.now(result))));
    if (world.faults() > 0) {
      next.add(world.actor(i, actor.now(failed)).faulty());
    }
    return next;
  }

  private static Instant clock(World world, Actor actor) {
    return Instant.ofEpochSecond(world.now() + actor.skew());
  }
}
