package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.lease.LeasePlanner.Plan.Claim;
import dev.mooring.runtime.lease.LeasePlanner.Plan.Follow;
import dev.mooring.runtime.lease.LeasePlanner.Plan.Found;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Whose turn it is, by the rules of client-go's leader election: a Lease has expired once it was
 * seen unchanged for as long as it says it lasts. Clocks of different machines are never compared.
 */
final class LeasePlanner {
  /** MicroTime, as the Lease's fields are. */
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private LeasePlanner() {}

  /** What one look at a Lease leads to. */
  sealed interface Plan {
    /** There is none: create it. */
    record Found(KubeObject lease) implements Plan {}

    /** It is ours, or free: write it, on condition that it is still the version that was read. */
    record Claim(KubeObject lease) implements Plan {}

    /** Another one holds it. */
    record Follow(String holder) implements Plan {}
  }

  /**
   * @param lease empty if there is none
   * @param unchangedSince when the Lease was first seen with its present resource version
   */
  static Plan plan(
      LeaseTerms terms, Optional<KubeObject> lease, Instant unchangedSince, Instant now) {
    if (lease.isEmpty()) {
      return new Found(founded(terms, now));
    }
    KubeObject present = lease.get();
    String holder = present.text("spec", "holderIdentity");
    if (holder.equals(terms.identity())) {
      return new Claim(renewed(terms, present, now));
    }
    if (!holder.isEmpty() && now.isBefore(unchangedSince.plus(lasts(present, terms)))) {
      return new Follow(holder);
    }
    return new Claim(taken(terms, present, now));
  }

  /** Released, so that the next leader may claim it at once. */
  static KubeObject released(KubeObject lease, Instant now) {
    return lease
        .with("", "spec", "holderIdentity")
        .with(1L, "spec", "leaseDurationSeconds")
        .with(MICROS.format(now), "spec", "renewTime");
  }

  static Duration lasts(KubeObject lease, LeaseTerms terms) {
    return lease.at("spec", "leaseDurationSeconds") instanceof Long seconds
        ? Duration.ofSeconds(seconds)
        : terms.duration();
  }

  static KubeObject founded(LeaseTerms terms, Instant now) {
    KubeObject empty = KubeObject.of(LeaseStore.LEASES, "Lease", terms.namespace(), terms.name());
    return renewed(terms, empty, now)
        .with(MICROS.format(now), "spec", "acquireTime")
        .with(0L, "spec", "leaseTransitions");
  }

  private static KubeObject taken(LeaseTerms terms, KubeObject lease, Instant now) {
    long transitions = lease.at("spec", "leaseTransitions") instanceof Long count ? count + 1 : 1;
    return renewed(terms, lease, now)
        .with(MICROS.format(now), "spec", "acquireTime")
        .with(transitions, "spec", "leaseTransitions");
  }

  static KubeObject renewed(LeaseTerms terms, KubeObject lease, Instant now) {
    return lease
        .with(terms.identity(), "spec", "holderIdentity")
        .with(terms.duration().toSeconds(), "spec", "leaseDurationSeconds")
        .with(MICROS.format(now), "spec", "renewTime");
  }
}
