package dev.mooring.depcontroller.ca.selfmanaged.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.ca.selfmanaged.decide.RotationStep.Signer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RotationPlannerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Since long ago. */
  private static final Optional<Instant> EVERYWHERE = Optional.of(START.minus(Duration.ofDays(1)));

  private static final Certificates NONE =
      new Certificates(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  private static final RotationTimings TIMINGS =
      new RotationTimings(Duration.ofMinutes(1), Duration.ofMinutes(10));
  private static final Optional<Instant> NOT_YET = Optional.empty();
  private static final TreeSet<String> NAMES = new TreeSet<>(List.of("hook.example.com"));

  @Test
  void beginsWithAnAuthorityAndACertificateOfIt() {
    assertThat(plan(NONE, EVERYWHERE, START)).isEqualTo(new RotationStep.CreateFirst());
    assertThat(plan(with(authority("a", START), null, null, null), NOT_YET, START))
        .isEqualTo(new RotationStep.IssueServing(Signer.CURRENT));
  }

  @Test
  void restsWhileEverythingIsYoung() {
    assertThat(plan(young(), EVERYWHERE, START.plus(Duration.ofDays(19))))
        .isEqualTo(new RotationStep.Wait());
  }

  @Test
  void replacesTheServingCertificateWhenAThirdOfItsLifeIsLeft() {
    assertThat(plan(young(), EVERYWHERE, START.plus(Duration.ofDays(20))))
        .isEqualTo(new RotationStep.IssueServing(Signer.CURRENT));
  }

  @Test
  void replacesAServingCertificateForOtherNames() {
    assertThat(
            RotationPlanner.plan(
                young(), EVERYWHERE, new TreeSet<>(List.of("other.example.com")), TIMINGS, START))
        .isEqualTo(new RotationStep.IssueServing(Signer.CURRENT));
  }

  @Test
  void showsNothingOfANewAuthorityBeforeTheBundleIsEverywhere() {
    Instant later = START.plus(Duration.ofDays(300));
    Certificates rotating =
        with(
            authority("a", START),
            authority("b", later),
            null,
            serving("s", "a", later.minus(Duration.ofDays(1))));

    Instant everywhere = later.plus(Duration.ofHours(1));
    assertThat(plan(rotating, NOT_YET, everywhere)).isEqualTo(new RotationStep.Wait());
    assertThat(plan(rotating, Optional.of(everywhere), everywhere.plusSeconds(59)))
        .isEqualTo(new RotationStep.Wait());
    assertThat(plan(rotating, Optional.of(everywhere), everywhere.plusSeconds(60)))
        .isEqualTo(new RotationStep.IssueServing(Signer.NEXT));
  }

  @Test
  void forgetsAnOldAuthorityOnceEveryReplicaHadTimeToShowTheNewCertificate() {
    Instant later = START.plus(Duration.ofDays(300));
    Certificates promoted =
        with(authority("b", START), null, authority("a", START), serving("s", "b", later));

    assertThat(plan(promoted, EVERYWHERE, later.plusSeconds(599)))
        .isEqualTo(new RotationStep.Wait());
    assertThat(plan(promoted, EVERYWHERE, later.plusSeconds(600)))
        .isEqualTo(new RotationStep.DropOld());
  }

  @Test
  void replacesAnAuthorityWhoseKeyIsLostAsOneThatEnds() {
    Issued serving = serving("s", "a", START);
    Certificates lost = with(withoutKey(authority("a", START)), null, null, serving);
    Certificates rotating =
        with(withoutKey(authority("a", START)), authority("b", START), null, serving);
    Instant renewal = START.plus(Duration.ofDays(20));
    Instant end = START.plus(Duration.ofDays(23));

    assertThat(plan(lost, EVERYWHERE, START)).isEqualTo(new RotationStep.AddNext());
    assertThat(plan(rotating, NOT_YET, renewal)).isEqualTo(new RotationStep.Wait());
    assertThat(plan(rotating, EVERYWHERE, renewal))
        .isEqualTo(new RotationStep.IssueServing(Signer.NEXT));
    assertThat(plan(rotating, NOT_YET, end)).isEqualTo(new RotationStep.IssueServing(Signer.NEXT));
  }

  @Test
  void startsWithANewCaWhereOneWithoutAKeyVouchesForNothing() {
    assertThat(plan(with(withoutKey(authority("a", START)), null, null, null), NOT_YET, START))
        .isEqualTo(new RotationStep.CreateFirst());
  }

  @Test
  void doesNotLetAWorkspaceThatCannotBeWrittenKeepAllOthersFromAValidCertificate() {
    Instant later = START.plus(Duration.ofDays(359));
    Certificates rotating =
        with(authority("a", START), authority("b", later), null, serving("s", "a", later));

    assertThat(plan(rotating, NOT_YET, later))
        .isEqualTo(new RotationStep.IssueServing(Signer.NEXT));
  }

  /**
   * Years of rotations with configurations that follow late, replicas that reload late and a
   * controller that is away at times: at every moment every API server trusts what every replica
   * shows.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void apiServersTrustWhatTheWebhookShowsAtEveryMoment(long seed) {
    var world = new World(seed);

    for (Instant now = START;
        now.isBefore(START.plus(Duration.ofDays(3 * 365)));
        now = now.plus(Duration.ofMinutes(30))) {
      world.pass(now);
      world.check(now);
    }

    assertThat(world.authorities).as("authorities made").hasSizeGreaterThan(3);
    assertThat(world.seen.old()).isEmpty();
  }

  /** One API server and one replica that are late, each by less than planned for. */
  private static final class World {
    private final Random chance;
    private Certificates seen = NONE;
    private Set<String> trusted = Set.of();
    private Optional<Issued> shown = Optional.empty();
    private final Set<String> authorities = new HashSet<>();
    private int made;
    private Instant awayUntil = START;
    private Optional<Instant> everywhere = Optional.empty();
    private Set<String> before = Set.of();

    World(long seed) {
      this.chance = new Random(seed);
    }

    void pass(Instant now) {
      // Replicas reload, and configurations are written, in less than half an hour, if at all.
      shown = seen.serving();
      if (now.isBefore(awayUntil)) {
        return;
      }
      Set<String> bundle = bundle();
      boolean written = chance.nextInt(4) > 0;
      if (written) {
        trusted = bundle;
      }
      everywhere =
          trusted.equals(bundle)
              ? Optional.of(everywhere.filter(_ -> bundle.equals(before)).orElse(now))
              : Optional.empty();
      before = bundle;
      seen = after(plan(seen, everywhere, now), now);
      if (shown.isEmpty()) {
        shown = seen.serving();
        trusted = bundle();
      }
      if (chance.nextInt(100) == 0) {
        awayUntil = now.plus(Duration.ofHours(chance.nextInt(100)));
      }
    }

    void check(Instant now) {
      shown.ifPresent(certificate -> {
        assertThat(trusted).as("trusted at %s", now).contains(certificate.issuer());
        assertThat(certificate.notAfter()).as("valid at %s", now).isAfter(now);
      });
    }

    private Set<String> bundle() {
      var bundle = new HashSet<String>();
      for (Optional<Issued> authority : List.of(seen.current(), seen.next(), seen.old())) {
        authority.ifPresent(known -> bundle.add(known.subject()));
      }
      return bundle;
    }

    private Certificates after(RotationStep step, Instant now) {
      return switch (step) {
        case RotationStep.Wait() -> seen;
        case RotationStep.CreateFirst() ->
            new Certificates(
                Optional.of(fresh(now)), Optional.empty(), Optional.empty(), seen.serving());
        case RotationStep.AddNext() ->
            new Certificates(seen.current(), Optional.of(fresh(now)), seen.old(), seen.serving());
        case RotationStep.Promote() ->
            new Certificates(seen.next(), Optional.empty(), seen.current(), seen.serving());
        case RotationStep.DropOld() ->
            new Certificates(seen.current(), seen.next(), Optional.empty(), seen.serving());
        case RotationStep.IssueServing(Signer signer) ->
            new Certificates(
                seen.current(),
                seen.next(),
                seen.old(),
                Optional.of(
                    serving(
                        "s" + made++,
                        (signer == Signer.CURRENT ? seen.current() : seen.next())
                            .orElseThrow()
                            .subject(),
                        now)));
      };
    }

    private Issued fresh(Instant now) {
      Issued authority = authority("ca" + made++, now);
      authorities.add(authority.subject());
      return authority;
    }
  }

  private static RotationStep plan(
      Certificates seen, Optional<Instant> everywhereSince, Instant now) {
    return RotationPlanner.plan(seen, everywhereSince, NAMES, TIMINGS, now);
  }

  private static Certificates young() {
    return with(authority("a", START), null, null, serving("s", "a", START));
  }

  private static Certificates with(Issued current, Issued next, Issued old, Issued serving) {
    return new Certificates(
        Optional.ofNullable(current),
        Optional.ofNullable(next),
        Optional.ofNullable(old),
        Optional.ofNullable(serving));
  }

  private static Issued authority(String subject, Instant now) {
    return new Issued(subject, subject, new TreeSet<>(), now, now.plus(Duration.ofDays(365)), true);
  }

  private static Issued serving(String subject, String issuer, Instant now) {
    return new Issued(subject, issuer, NAMES, now, now.plus(Duration.ofDays(30)), true);
  }

  private static Issued withoutKey(Issued known) {
    return new Issued(
        known.subject(), known.issuer(), known.names(), known.issuedAt(), known.notAfter(), false);
  }
}
