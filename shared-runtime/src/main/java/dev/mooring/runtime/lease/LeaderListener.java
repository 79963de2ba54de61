package dev.mooring.runtime.lease;

import java.time.Duration;

/**
 * Receives when this process may act and when it no longer may; on one thread, in turns, beginning
 * with {@link #leads()}. What takes long holds up the next turn alone: the Lease is renewed
 * meanwhile.
 */
public interface LeaderListener {
  void leads();

  /**
   * Stop what only one may do, and begin nothing more of it.
   *
   * @param grace within which what is under way has to end; others may lead afterwards. Zero if
   *     another one leads already
   */
  void follows(Duration grace);
}
