package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.trace.WorkSpan;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A read on its own thread, so that one caller can run several. Thread-safe.
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
   * @param what is read, for messages
   */
  public static <T> PendingRead<T> begin(String what, Callable<T> read) {
    var task = new FutureTask<>(read);
    Thread.ofVirtual().name("read").start(WorkSpan.carry(task));
    return new PendingRead<>(what, task);
  }

  /** A known result. */
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

  /** As {@link #result()}, for as long as there is time; then it is cancelled. */
  public T result(Deadline deadline) {
    return deadline.await(task, what);
  }

  /** Cancels it if it is still running; a waiting caller gets an exception. */
  public void giveUp() {
    task.cancel(true);
  }

  /** As {@link #result()}. */
  static <T> T await(Future<T> read, String what) {
    try {
      return read.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(what, e);
    }
  }

  static RuntimeException failure(ExecutionException e) {
    return e.getCause() instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(e.getCause());
  }

  static KubeFailure interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return KubeFailure.unavailable(what + ": no answer: interrupted", e);
  }
}
