package dev.mooring.depwebhook.race.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.race.decide.Actor.Finalizers;
import dev.mooring.depwebhook.race.decide.Actor.Role;
import dev.mooring.depwebhook.race.decide.Actor.State;
import dev.mooring.depwebhook.race.decide.Exploration.Found;
import dev.mooring.depwebhook.race.decide.ReferenceStep.Demand;
import dev.mooring.depwebhook.race.decide.Reviews.Patience;
import dev.mooring.depwebhook.race.decide.World.DependentObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The proof of the protocol, by enumeration: requests meet in every order of their steps, with
 * clocks apart, time passing in between, commits delayed as long as they can be, indexes as old as
 * they may be, answers lost, accesses failing and replicas crashing. Never do a reference and the
 * deletion of its target both succeed, and nothing is refused for good.
 *
 * <p>Ticks are 1 s: a request is carried out up to 2 after its review began, an index lacks up to
 * 2, and clocks differ by up to 1.
 */
@Tag("full")
class RaceProtocolLaws {
  private static final String D = "d";

  /**
   * Requests that meet.
   *
   * @param ticks enough for every term that plays a part
   * @param faults accesses that may fail, and writes whose answer may be lost
   */
  record Meeting(
      String name, Map<String, DependentObject> there, List<Role> roles, int ticks, int faults) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Role CREATES = new Role.Create(D);
  private static final Role REFERS = new Role.AddReference(D);
  private static final Role DROPS = new Role.DropReference(D);
  private static final Role REMOVES = new Role.DeleteDependent(D);
  private static final Role DELETES = new Role.DeleteTarget(Finalizers.NONE);
  private static final Role TERMINATES = new Role.DeleteTarget(Finalizers.SOME);
  private static final Role RECREATES = new Role.CreateTarget();
  private static final Map<String, DependentObject> NO_DEPENDENTS = Map.of();
  private static final Map<String, DependentObject> FREE =
      Map.of(D, new DependentObject("d0", 1, false));
  private static final Map<String, DependentObject> BOUND =
      Map.of(D, new DependentObject("d0", 1, true));

  private static final List<Meeting> MEETINGS =
      List.of(
          meeting("creation × deletion", NO_DEPENDENTS, 8, 1, CREATES, DELETES),
          meeting("creation × termination", NO_DEPENDENTS, 8, 1, CREATES, TERMINATES),
          meeting("change × deletion", FREE, 8, 1, REFERS, DELETES),
          meeting("creation × two deletions", NO_DEPENDENTS, 1, 0, CREATES, DELETES, DELETES),
          meeting(
              "two creations × deletion",
              NO_DEPENDENTS,
              1,
              0,
              CREATES,
              new Role.Create("e"),
              DELETES),
          meeting("change, dropped × deletion", FREE, 7, 0, REFERS, DROPS, DELETES),
          meeting("creation, removed × deletion", NO_DEPENDENTS, 4, 1, CREATES, REMOVES, DELETES),
          meeting("removed, changed × deletion", BOUND, 3, 1, REMOVES, REFERS, DELETES),
          meeting(
              "creation × deletion, recreated", NO_DEPENDENTS, 4, 0, CREATES, DELETES, RECREATES),
          meeting("dropped, changed twice × deletion", BOUND, 1, 0, DROPS, REFERS, REFERS, DELETES),
          meeting(
              "creation × deletion, recreated, deleted",
              NO_DEPENDENTS,
              1,
              0,
              CREATES,
              DELETES,
              RECREATES,
              DELETES),
          meeting(
              "one name created twice, dropped, removed × deletion",
              NO_DEPENDENTS,
              0,
              0,
              CREATES,
              CREATES,
              DROPS,
              REMOVES,
              DELETES),
          meeting(
              "one name created twice, removed × two deletions",
              NO_DEPENDENTS,
              0,
              0,
              CREATES,
              CREATES,
              REMOVES,
              DELETES,
              DELETES));

  static Stream<Arguments> meetings() {
    return MEETINGS.stream()
        .flatMap(meeting ->
            Stream.of(Demand.values())
                // Of many requests the demand is one less thing to tell apart.
                .filter(demand -> demand == Demand.ANY || meeting.roles().size() < 4)
                .map(demand -> Arguments.of(meeting, demand)));
  }

  @ParameterizedTest(name = "{0}, target {1}")
  @MethodSource("meetings")
  void neverLetsBothSucceedAndRefusesNothingForGood(Meeting meeting, Demand demand) {
    explored(meeting, Variant.SOUND, demand)
        .forEach(found -> {
          assertThat(found.violation()).isEmpty();
          assertThat(found.worlds()).as("worlds").isGreaterThan(100);
          assertThat(found.ends()).as("ends").isGreaterThan(10);
        });
  }

  /** Only for as long as a reference waits can both be refused. */
  @ParameterizedTest(name = "{0}, target {1}")
  @MethodSource("pairs")
  void oneOfTwoThatMeetSucceedsWhereTheReferenceWaits(Meeting meeting, Demand demand) {
    assertThat(stalemates(meeting, demand, Patience.AS_LONG_AS_IT_TAKES)).isZero();
    assertThat(stalemates(meeting, demand, Patience.NONE)).isPositive();
  }

  static Stream<Arguments> pairs() {
    return Stream.of(
            meeting("creation × deletion", NO_DEPENDENTS, 2, 0, CREATES, DELETES),
            meeting("creation × termination", NO_DEPENDENTS, 2, 0, CREATES, TERMINATES),
            meeting("change × deletion", FREE, 2, 0, REFERS, DELETES))
        .flatMap(
            meeting -> Stream.of(Demand.values()).map(demand -> Arguments.of(meeting, demand)));
  }

  private static int stalemates(Meeting meeting, Demand demand, Patience patience) {
    return explored(meeting, new Reviews(Variant.SOUND, demand, patience))
        .peek(found -> assertThat(found.violation()).isEmpty())
        .mapToInt(Found::stalemates)
        .sum();
  }

  /** Otherwise the enumeration might be green because it looks at nothing. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOUND")
  void findsTheHoleInEveryOtherProtocol(Variant variant) {
    Optional<String> violation =
        MEETINGS.stream()
            .flatMap(meeting -> explored(meeting, variant, Demand.ANY))
            .flatMap(found -> found.violation().stream())
            .findFirst();

    assertThat(violation).isPresent();
  }

  private static Stream<Found> explored(Meeting meeting, Variant variant, Demand demand) {
    return explored(meeting, new Reviews(variant, demand, Patience.ANY));
  }

  /** Once for every way in which the clocks can differ, where that makes a difference. */
  private static Stream<Found> explored(Meeting meeting, Reviews reviews) {
    int n = meeting.roles().size();
    var exploration = new Exploration(reviews, meeting.ticks());
    // All ahead is as none ahead; where no time passes nothing is.
    int differences = meeting.ticks() == 0 || reviews.demand() == Demand.PRESENT ? 1 : (1 << n) - 1;
    return IntStream.range(0, differences)
        .mapToObj(ahead -> actors(meeting, ahead))
        .filter(RaceProtocolLaws::reviewed)
        .map(actors -> exploration.from(World.of(meeting.there(), actors, meeting.faults())));
  }

  private static List<Actor> actors(Meeting meeting, int ahead) {
    return IntStream.range(0, meeting.roles().size())
        .mapToObj(i ->
            new Actor(
                "r" + i, meeting.roles().get(i), ahead >> i & Reviews.SKEW, new State.Waiting()))
        .toList();
  }

  /** A clock that nobody reads need not differ. */
  private static boolean reviewed(List<Actor> actors) {
    return actors.stream()
        .allMatch(actor ->
            actor.skew() == 0
                || switch (actor.role()) {
                  case Role.Create(_), Role.AddReference(_), Role.DeleteTarget(_) -> true;
                  case Role.DropReference(_), Role.DeleteDependent(_), Role.CreateTarget() -> false;
                });
  }

  private static Meeting meeting(
      String name, Map<String, DependentObject> there, int ticks, int faults, Role... roles) {
    return new Meeting(name, there, List.of(roles), ticks, faults);
  }
}
