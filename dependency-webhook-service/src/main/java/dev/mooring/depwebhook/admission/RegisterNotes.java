package dev.mooring.depwebhook.admission;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the race register what a request proves, beside the request's answer. A dependent is
 * often deleted just before its target, so the answer waits for the note for a moment; a register
 * that is slow or away delays no answer further, and turns none into a refusal. A note that is not
 * written costs time only: the deletion of the target is retried until the register's entry
 * expires. Thread-safe.
 */
final class RegisterNotes {
  /** Several times what kcp takes for the two requests of a note. */
  static final Duration MOMENT = Duration.ofMillis(500);

  /** Written at a time; further ones are dropped. */
  static final int OPEN_MAX = 200;

  private static final Logger LOG = LoggerFactory.getLogger(RegisterNotes.class);

  private final Semaphore open = new Semaphore(OPEN_MAX);

  /**
   * @param left for the answer that waits
   */
  void write(Runnable note, Duration left) {
    if (!open.tryAcquire()) {
      LOG.debug("A note for the race register is dropped: {} are being written", OPEN_MAX);
      return;
    }
    var written = new CountDownLatch(1);
    Thread.ofVirtual()
        .name("note")
        .start(() -> {
          try {
            note.run();
          } catch (RuntimeException e) {
            LOG.warn("A note for the race register was not written", e);
          } finally {
            open.release();
            written.countDown();
          }
        });
    Duration wait = left.compareTo(MOMENT) < 0 ? left : MOMENT;
    try {
      written.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
