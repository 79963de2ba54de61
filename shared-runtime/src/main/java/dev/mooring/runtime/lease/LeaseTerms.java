package dev.mooring.runtime.lease;

import java.time.Duration;

/**
 * Which Lease is held, by whom, and how long it lasts.
 *
 * @param identity of this process, such as its pod's name; unique among those who compete
 * @param duration after which others may take a Lease that is no longer renewed
 * @param renewDeadline after which the holder itself stops when it could not renew; shorter than
 *     the duration, so that there are never two
 * @param retry between attempts to renew, or to take
 */
public record LeaseTerms(
    String namespace,
    String name,
    String identity,
    Duration duration,
    Duration renewDeadline,
    Duration retry) {
  public LeaseTerms {
    if (name.isEmpty() || identity.isEmpty()) {
      throw new IllegalArgumentException("a Lease has a name and a holder");
    }
    if (duration.compareTo(renewDeadline) <= 0 || renewDeadline.compareTo(retry) <= 0) {
      throw new IllegalArgumentException(
          "a Lease lasts longer than its holder tries to renew it, and that is longer than one"
              + " attempt: "
              + duration
              + ", "
              + renewDeadline
              + ", "
              + retry);
    }
  }

  /**
   * For one answer of the server. Half the deadline, so that one request that hangs leaves time for
   * another one; as controller-runtime has it.
   */
  Duration requestTimeout() {
    return renewDeadline.dividedBy(2);
  }

  /** The terms of kube-controller-manager: 15 s, 10 s, 2 s. */
  public static LeaseTerms of(String namespace, String name, String identity) {
    return new LeaseTerms(
        namespace,
        name,
        identity,
        Duration.ofSeconds(15),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2));
  }
}
