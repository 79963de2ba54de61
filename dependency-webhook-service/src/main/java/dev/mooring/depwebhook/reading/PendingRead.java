package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.client.KubeFailure;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A read on a thread of its own, so that one caller can have several under way. Thread-safe.
 *
 * @param <T> what is read
 */
public final class PendingRead<T> {
  private final String what;
  private final FutureTask<T> task;

  private PendingRead(String what, FutureTask<T> task) {
    this.what = what;
    this.task = task;
  }

  /**
   * @param what is read, for the message if nobody waits to the end
   */
  public static <T> PendingRead<T> begin(String what, Callable<T> read) {
    var task = new FutureTask<>(read);
    Thread.ofVirtual().name("read").start(task);
    return new PendingRead<>(what, task);
  }

  /** What needs no reading. */
  public static <T> PendingRead<T> of(T known) {
    var task = new FutureTask<>(() -> known);
    task.run();
    return new PendingRead<>("nothing", task);
  }

  /**
   * Waits for it.
   *
   * @throws RuntimeException what the read threw; {@link KubeFailure} of kind {@link
   *     KubeFailure.Kind#UNAVAILABLE} if the caller is interrupted
   */
  public T result() {
    return await(task, what);
  }

  /** Ends it if it is still under way; whoever waits for it is told so by an exception. */
  public void giveUp() {
    task.cancel(true);
  }

  /** What was read, if that went well and is over; without waiting. */
  public Optional<T> ifDone() {
    return task.state() == Future.State.SUCCESS ? Optional.of(task.resultNow()) : Optional.empty();
  }

  /** As {@link #result}. */
  static <T> T await(Future<T> read, String what) {
    try {
      return read.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubeFailure(
          KubeFailure.Kind.UNAVAILABLE, 0, "", what + ": no answer: interrupted", null, e);
    }
  }
}
