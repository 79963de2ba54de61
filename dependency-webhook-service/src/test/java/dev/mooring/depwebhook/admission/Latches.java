package dev.mooring.depwebhook.admission;

import java.util.concurrent.CountDownLatch;

/** For judges that take as long as a test wants. */
final class Latches {
  private Latches() {}

  /** A thread that is interrupted goes on, and stays interrupted. */
  static void awaitUnlessInterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
