package dev.mooring.runtime.queue;

import java.time.Duration;

/**
 * How busy a queue is.
 *
 * @param waiting keys to be worked on now
 * @param running keys being worked on
 * @param delayed keys that come due later, failing ones included
 * @param failing keys whose last attempt failed
 * @param oldest how long the key has waited that has waited longest; zero if none waits
 * @param succeeded attempts since the start
 * @param failed attempts since the start
 */
public record QueueStatus(
    int waiting,
    int running,
    int delayed,
    int failing,
    Duration oldest,
    long succeeded,
    long failed) {
  /** Whether nothing is to be done now: everything settled, but for what comes due later. */
  public boolean idle() {
    return waiting == 0 && running == 0;
  }
}
