package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All records about targets of one name, oldest first; bounded. A page is written as a whole, on
 * condition that the Lease did not change since it was read: a writer so learns every record that
 * preceded its own.
 */
public record RegisterPage(
    List<ReferenceClaim> referenceClaims, List<DeletionClaim> deletionClaims) {
  /** Seven a second to one target, for as long as records are kept. */
  public static final int REFERENCES_MAX = 1_000;

  /**
   * Kubernetes allows 256 KiB of annotations; deletion claims and the target's name need 30,000.
   */
  public static final int WEIGHT_MAX = 230_000;

  /** Deletions of one name at once; more are an endless loop of a client. */
  public static final int DELETIONS_MAX = 200;

  public static final RegisterPage EMPTY = new RegisterPage(List.of(), List.of());

  public RegisterPage {
    referenceClaims = List.copyOf(referenceClaims);
    deletionClaims = List.copyOf(deletionClaims);
  }

  /** Adds one and drops expired ones; empty if there is no room. */
  public Optional<RegisterPage> with(ReferenceClaim claim, Instant now, RaceTimings timings) {
    List<ReferenceClaim> more = Stream.concat(unexpired(now, timings), Stream.of(claim)).toList();
    return more.size() > REFERENCES_MAX
            || more.stream().mapToInt(ReferenceClaim::weight).sum() > WEIGHT_MAX
        ? Optional.empty()
        : Optional.of(new RegisterPage(more, deletionClaims));
  }

  /** Adds one and drops those that can no longer be carried out; empty if there is no room. */
  public Optional<RegisterPage> with(DeletionClaim claim, Instant now, RaceTimings timings) {
    List<DeletionClaim> more = Stream.concat(open(now, timings), Stream.of(claim)).toList();
    return more.size() > DELETIONS_MAX
        ? Optional.empty()
        : Optional.of(new RegisterPage(referenceClaims, more));
  }

  /** Without the record of this id. */
  public RegisterPage without(String id) {
    return new RegisterPage(
        referenceClaims.stream().filter(one -> !one.id().equals(id)).toList(),
        deletionClaims.stream().filter(one -> !one.id().equals(id)).toList());
  }

  /** References that may be to a target in this namespace, and that an index may not show yet. */
  List<ReferenceClaim> referencesTo(String namespace, Instant now, RaceTimings timings) {
    return unexpired(now, timings).filter(one -> one.concerns(namespace)).toList();
  }

  /** Whether no record matters any more. */
  public boolean isExpired(Instant now, RaceTimings timings) {
    return unexpired(now, timings).findAny().isEmpty() && open(now, timings).findAny().isEmpty();
  }

  private Stream<ReferenceClaim> unexpired(Instant now, RaceTimings timings) {
    return referenceClaims.stream().filter(one -> timings.keptAt(one.at(), now));
  }

  private Stream<DeletionClaim> open(Instant now, RaceTimings timings) {
    return deletionClaims.stream().filter(one -> timings.openAt(one.at(), now));
  }
}
