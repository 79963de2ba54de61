package dev.mooring.depwebhook.race.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.race.decide.Announcement.Origin;
import dev.mooring.depwebhook.race.decide.Announcement.Standing;
import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnouncementsTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final RaceTimings TERMS = RaceTimings.STANDARD;
  private static final Origin CREATION = new Origin.Creation();

  @ParameterizedTest
  @CsvSource({
    "default, default, true",
    "default, other,   false",
    "'',      other,   true", // it does not say where its target is
    "default, '',      true", // a target outside of namespaces
  })
  void concernTargetsOfTheirNamespaceAlone(String announced, String target, boolean concerned) {
    Announcement announcement = creation("a", announced, "u1");

    assertThat(new Announcements(List.of(announcement)).about(target, AT, TERMS))
        .isEqualTo(concerned ? List.of(announcement) : List.of());
  }

  @Test
  void areForgottenOnceNoIndexMayLackThem() {
    var announcements = new Announcements(List.of(creation("a", "default", "u1")));
    Instant last = AT.plus(TERMS.remembered());

    assertThat(announcements.forgotten(last, TERMS)).isFalse();
    assertThat(announcements.about("default", last, TERMS)).hasSize(1);
    assertThat(announcements.forgotten(last.plusMillis(1), TERMS)).isTrue();
    assertThat(announcements.about("default", last.plusMillis(1), TERMS)).isEmpty();
  }

  @Test
  void tellWhichCreationsOfAnObjectNobodyHasSeenYet() {
    Announcement open = creation("open", "default", "u1");
    Announcement seen = creation("seen", "default", "u1").committed();
    Announcement change =
        Announcement.of("change", dependent("u1"), "default", new Origin.Change("7"), AT);
    Announcement other = creation("other", "default", "u2");
    Announcement nameless = creation("nameless", "default", "");
    var announcements = new Announcements(List.of(open, seen, change, other, nameless));

    assertThat(announcements.openCreationsOf("u1")).isEqualTo(Set.of("open"));
    assertThat(announcements.openCreationsOf("")).isEmpty();
  }

  @Test
  void takeAsManyAsAreAllowedAndNoMore() {
    Announcement one = creation("a", "default", "u1");
    var almost = new Announcements(Collections.nCopies(Announcements.COUNT_MAX - 1, one));

    Announcements full = almost.with(one, AT, TERMS).orElseThrow();

    assertThat(full.all()).hasSize(Announcements.COUNT_MAX);
    assertThat(full.with(one, AT, TERMS)).isEmpty();
    assertThat(full.with(one, AT.plus(TERMS.remembered()).plusMillis(1), TERMS)).isPresent();
  }

  @Test
  void takeNoMoreThanFitsIntoTheRegister() {
    var bulky = dependent("u".repeat(Announcements.WEIGHT_MAX));

    assertThat(
            Announcements.NONE.with(
                Announcement.of("a", bulky, "default", CREATION, AT), AT, TERMS))
        .isEmpty();
  }

  @Test
  void areUnderWayUntilNoServerCarriesThemOutAnyMore() {
    Announcement announcement = creation("a", "default", "u1");
    var absent = new LiveDependent.Absent();
    Instant last = AT.plus(TERMS.open());

    assertThat(announcement.standing(absent, last, TERMS)).isEqualTo(Standing.UNDER_WAY);
    assertThat(announcement.standing(absent, last.plus(Duration.ofMillis(1)), TERMS))
        .isEqualTo(Standing.OVER);
  }

  @Test
  void ofCreationsAreOverOnceTheObjectWasSeenOrIsThereAndDoesNotRefer() {
    Announcement announcement = creation("a", "default", "u1");

    assertThat(standing(announcement.committed(), new LiveDependent.Absent()))
        .isEqualTo(Standing.OVER);
    assertThat(standing(announcement, present("u1", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Standing.OVER);
    assertThat(standing(announcement, present("u2", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Standing.UNDER_WAY);
    assertThat(standing(announcement, present("u2", "7", Relation.REFERS)))
        .isEqualTo(Standing.REFERS);
  }

  @Test
  void ofChangesAreOverOnceTheObjectIsNotAsItWasReviewed() {
    Announcement announcement =
        Announcement.of("a", dependent("u1"), "default", new Origin.Change("7"), AT);

    assertThat(standing(announcement, present("u1", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Standing.UNDER_WAY);
    assertThat(standing(announcement, present("u1", "8", Relation.DOES_NOT_REFER)))
        .isEqualTo(Standing.OVER);
    assertThat(standing(announcement, present("u2", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Standing.OVER);
    assertThat(standing(announcement, new LiveDependent.Absent())).isEqualTo(Standing.OVER);
  }

  private static Standing standing(Announcement announcement, LiveDependent live) {
    return announcement.standing(live, AT, TERMS);
  }

  private static LiveDependent present(String uid, String version, Relation relation) {
    return new LiveDependent.Present(uid, version, relation);
  }

  private static Announcement creation(String id, String targetNamespace, String uid) {
    return Announcement.of(id, dependent(uid), targetNamespace, CREATION, AT);
  }

  private static DependentId dependent(String uid) {
    return new DependentId(MACHINES, "default", "vm1", uid);
  }
}
