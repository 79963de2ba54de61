package dev.mooring.runtime.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeasePlannerTest {
  private static final LeaseTerms TERMS = LeaseTerms.of("system", "agent", "me");
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.123456789Z");
  private static final KubeObject THEIRS =
      KubeJson.readObject(
          """
          {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
           "metadata":{"name":"agent","namespace":"system","resourceVersion":"7",
            "labels":{"kept":"yes"}},
           "spec":{"holderIdentity":"them","leaseDurationSeconds":20,"leaseTransitions":4,
            "acquireTime":"2025-01-01T00:00:00.000000Z",
            "renewTime":"2025-01-01T00:00:00.000000Z"}}\
          """);

  @Test
  void foundsALeaseWhereThereIsNone() {
    LeasePlanner.Plan plan = LeasePlanner.plan(TERMS, Optional.empty(), Instant.EPOCH, NOW);

    assertThat(plan)
        .isEqualTo(
            new LeasePlanner.Plan.Found(
                KubeObject.of(
                    Map.of(
                        "apiVersion",
                        "coordination.k8s.io/v1",
                        "kind",
                        "Lease",
                        "metadata",
                        Map.of("name", "agent", "namespace", "system"),
                        "spec",
                        Map.of(
                            "holderIdentity", "me",
                            "leaseDurationSeconds", 15,
                            "acquireTime", "2026-01-02T03:04:05.123456Z",
                            "renewTime", "2026-01-02T03:04:05.123456Z",
                            "leaseTransitions", 0)))));
  }

  @Test
  void followsAsLongAsTheHolderMayBeAlive() {
    Instant seen = NOW.minusSeconds(20).plusMillis(1);

    assertThat(LeasePlanner.plan(TERMS, Optional.of(THEIRS), seen, NOW))
        .as("however old the holder's own clock says it is")
        .isEqualTo(new LeasePlanner.Plan.Follow("them"));
  }

  @Test
  void takesALeaseThatWasSeenUnchangedForAsLongAsItLasts() {
    LeasePlanner.Plan plan =
        LeasePlanner.plan(TERMS, Optional.of(THEIRS), NOW.minusSeconds(20), NOW);

    assertThat(plan)
        .isEqualTo(
            new LeasePlanner.Plan.Claim(
                THEIRS
                    .with("me", "spec", "holderIdentity")
                    .with(15, "spec", "leaseDurationSeconds")
                    .with(5, "spec", "leaseTransitions")
                    .with("2026-01-02T03:04:05.123456Z", "spec", "acquireTime")
                    .with("2026-01-02T03:04:05.123456Z", "spec", "renewTime")));
  }

  @Test
  void takesAReleasedLeaseAtOnce() {
    KubeObject released = LeasePlanner.released(THEIRS, NOW);

    assertThat(LeasePlanner.plan(TERMS, Optional.of(released), NOW, NOW))
        .isInstanceOf(LeasePlanner.Plan.Claim.class);
  }

  @Test
  void renewsItsOwnWithoutCountingATransition() {
    KubeObject ours = THEIRS.with("me", "spec", "holderIdentity");

    LeasePlanner.Plan plan = LeasePlanner.plan(TERMS, Optional.of(ours), NOW, NOW);

    assertThat(plan)
        .isEqualTo(
            new LeasePlanner.Plan.Claim(
                ours.with(15, "spec", "leaseDurationSeconds")
                    .with("2026-01-02T03:04:05.123456Z", "spec", "renewTime")));
  }

  @Test
  void refusesTermsUnderWhichTwoCouldLead() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new LeaseTerms(
                "ns",
                "n",
                "me",
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2)));
  }
}
