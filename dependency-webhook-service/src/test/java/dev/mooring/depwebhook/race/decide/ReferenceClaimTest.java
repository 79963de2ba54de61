package dev.mooring.depwebhook.race.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import dev.mooring.depwebhook.race.decide.ReferenceClaim.Request;
import dev.mooring.depwebhook.race.decide.ReferenceClaim.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceClaimTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final RaceTimings TERMS = RaceTimings.STANDARD;
  private static final Request CREATION = new Request.Creation();

  @ParameterizedTest
  @CsvSource({
    "default, default, true",
    "default, other,   false",
    "'',      other,   true", // it does not say where its target is
    "default, '',      true", // a target outside of namespaces
  })
  void concernTargetsOfTheirNamespaceAlone(String claimed, String target, boolean concerned) {
    ReferenceClaim claim = creation("a", claimed, "u1");

    assertThat(page(List.of(claim)).referencesTo(target, AT, TERMS))
        .isEqualTo(concerned ? List.of(claim) : List.of());
  }

  @Test
  void expireOnceNoIndexMayLackThem() {
    var referenceClaims = page(List.of(creation("a", "default", "u1")));
    Instant last = AT.plus(TERMS.kept());

    assertThat(referenceClaims.isExpired(last, TERMS)).isFalse();
    assertThat(referenceClaims.referencesTo("default", last, TERMS)).hasSize(1);
    assertThat(referenceClaims.isExpired(last.plusMillis(1), TERMS)).isTrue();
    assertThat(referenceClaims.referencesTo("default", last.plusMillis(1), TERMS)).isEmpty();
  }

  @Test
  void takeAsManyAsAreAllowedAndNoMore() {
    ReferenceClaim one = creation("a", "default", "u1");
    var almost = page(Collections.nCopies(RegisterPage.REFERENCES_MAX - 1, one));

    RegisterPage full = almost.with(one, AT, TERMS).orElseThrow();

    assertThat(full.referenceClaims()).hasSize(RegisterPage.REFERENCES_MAX);
    assertThat(full.with(one, AT, TERMS)).isEmpty();
    assertThat(full.with(one, AT.plus(TERMS.kept()).plusMillis(1), TERMS)).isPresent();
  }

  @Test
  void takeNoMoreThanFitsIntoTheRegister() {
    var bulky = dependent("u".repeat(RegisterPage.WEIGHT_MAX));

    assertThat(
            RegisterPage.EMPTY.with(
                new ReferenceClaim("a", bulky, "default", CREATION, AT), AT, TERMS))
        .isEmpty();
  }

  @Test
  void areUnderWayUntilNoServerCarriesThemOutAnyMore() {
    ReferenceClaim claim = creation("a", "default", "u1");
    var absent = new LiveDependent.Absent();
    Instant last = AT.plus(TERMS.open());

    assertThat(claim.status(absent, last, TERMS)).isEqualTo(Status.PENDING);
    assertThat(claim.status(absent, last.plus(Duration.ofMillis(1)), TERMS)).isEqualTo(Status.OVER);
  }

  @Test
  void ofCreationsAreOverOnceTheObjectIsThereAndDoesNotRefer() {
    ReferenceClaim claim = creation("a", "default", "u1");

    assertThat(status(claim, new LiveDependent.Absent())).isEqualTo(Status.PENDING);
    assertThat(status(claim, present("u1", "7", Relation.DOES_NOT_REFER))).isEqualTo(Status.OVER);
    assertThat(status(claim, present("u2", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Status.PENDING);
    assertThat(status(claim, present("u2", "7", Relation.REFERS))).isEqualTo(Status.REFERS);
  }

  @Test
  void ofChangesAreOverOnceTheObjectIsNotAsItWasReviewed() {
    ReferenceClaim claim =
        new ReferenceClaim("a", dependent("u1"), "default", new Request.Change("7"), AT);

    assertThat(status(claim, present("u1", "7", Relation.DOES_NOT_REFER)))
        .isEqualTo(Status.PENDING);
    assertThat(status(claim, present("u1", "8", Relation.DOES_NOT_REFER))).isEqualTo(Status.OVER);
    assertThat(status(claim, present("u2", "7", Relation.DOES_NOT_REFER))).isEqualTo(Status.OVER);
    assertThat(status(claim, new LiveDependent.Absent())).isEqualTo(Status.OVER);
  }

  private static RegisterPage page(List<ReferenceClaim> referenceClaims) {
    return new RegisterPage(referenceClaims, List.of());
  }

  private static Status status(ReferenceClaim claim, LiveDependent live) {
    return claim.status(live, AT, TERMS);
  }

  private static LiveDependent present(String uid, String version, Relation relation) {
    return new LiveDependent.Present(uid, version, relation);
  }

  private static ReferenceClaim creation(String id, String targetNamespace, String uid) {
    return new ReferenceClaim(id, dependent(uid), targetNamespace, CREATION, AT);
  }

  private static DependentId dependent(String uid) {
    return new DependentId(MACHINES, "default", "vm1", uid);
  }
}
