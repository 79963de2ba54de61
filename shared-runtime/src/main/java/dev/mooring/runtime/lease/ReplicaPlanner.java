package dev.mooring.runtime.lease;

import dev.mooring.model.object.KubeObject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one look at the Leases of equal processes means to one of them.
 *
 * <p>Laws: a member is who has a Lease; it is none once that was deleted, by itself or, when the
 * Lease has expired, by another one on condition that it is unchanged. A process works on nothing
 * before every other member has acknowledged its Lease, and a member acknowledges another one once
 * it works on nothing of what has become that one's. So of two processes at least one knows the
 * other, and a logical cluster is never two processes' at the same time, however late a look is.
 */
final class ReplicaPlanner {
  static final String ACKNOWLEDGES = "mooring.dev/acknowledges";
  static final String NOTE = "mooring.dev/note";

  private ReplicaPlanner() {}

  /** A Lease to join with: it acknowledges no other yet. */
  static KubeObject joining(LeaseTerms terms, Map.Entry<String, String> group, Instant now) {
    return LeasePlanner.founded(terms, now)
        .with(group.getValue(), "metadata", "labels", group.getKey());
  }

  static KubeObject renewed(
      LeaseTerms terms, KubeObject own, Set<String> acknowledged, String note, Instant now) {
    return LeasePlanner.renewed(terms, own, now)
        .with(
            String.join(",", new TreeSet<>(acknowledged)), "metadata", "annotations", ACKNOWLEDGES)
        .with(note, "metadata", "annotations", NOTE);
  }

  /** Those that have not acknowledged this Lease yet. */
  static List<KubeObject> unacknowledging(String uid, Collection<KubeObject> others) {
    return others.stream().filter(other -> !acknowledged(other).contains(uid)).toList();
  }

  /**
   * Whom a member has to acknowledge now.
   *
   * @param before whom it has acknowledged
   * @param isSettled whether it works on nothing of what is others'
   */
  static Set<String> acknowledged(
      Set<String> before, Collection<KubeObject> others, boolean isSettled) {
    return others.stream()
        .map(KubeObject::uid)
        .filter(uid -> isSettled || before.contains(uid))
        .collect(Collectors.toSet());
  }

  static Share share(Optional<String> self, String own, Collection<KubeObject> others) {
    return new Share(
        self,
        Stream.concat(Stream.of(own), others.stream().map(ReplicaPlanner::identity))
            .collect(Collectors.toSet()));
  }

  static boolean isExpired(
      LeaseTerms terms, KubeObject lease, Instant unchangedSince, Instant now) {
    return !now.isBefore(unchangedSince.plus(LeasePlanner.lasts(lease, terms)));
  }

  static String identity(KubeObject lease) {
    return lease.text("spec", "holderIdentity");
  }

  private static Set<String> acknowledged(KubeObject lease) {
    return Set.of(lease.annotation(ACKNOWLEDGES).orElse("").split(","));
  }
}
