package dev.mooring.runtime.lease;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Which logical clusters one of several equal processes works on: a cluster is the member's that
 * ranks highest for it (rendezvous hashing), so that one that comes or goes moves its own alone.
 *
 * @param self empty while this process works on none
 * @param members identities of all processes, this one's as well
 */
public record Share(Optional<String> self, Set<String> members) {
  public static final Share NOTHING = new Share(Optional.empty(), Set.of());

  /** Of a process that works alone. */
  public static final Share EVERYTHING = new Share(Optional.of(""), Set.of(""));

  public Share {
    members = Set.copyOf(members);
  }

  public boolean owns(LogicalCluster cluster) {
    return self.isPresent() && self.equals(owner(cluster));
  }

  /** Whether every cluster of this share is in the other one as well. */
  public boolean isWithin(Share other) {
    return self.isEmpty() || self.equals(other.self) && members.containsAll(other.members);
  }

  /** Whose the cluster is, whether that one works already or not; empty without members. */
  public Optional<String> owner(LogicalCluster cluster) {
    return members.stream()
        .max(
            Comparator.<String>comparingLong(member -> rank(member, cluster))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** All replicas have to agree, so the numbers are written down here: splitmix64's finalizer. */
  private static long rank(String member, LogicalCluster cluster) {
    long mixed = (long) member.hashCode() << 32 ^ cluster.name().hashCode();
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
