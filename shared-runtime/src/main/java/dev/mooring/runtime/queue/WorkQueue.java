package dev.mooring.runtime.queue;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.queue.KeyStates.Taken;
import dev.mooring.runtime.trace.KeyTraces;
import dev.mooring.runtime.trace.WorkSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys to be worked on, each by one worker at a time. What is added while it waits is there once;
 * what is added while it is being worked on is worked on again afterwards; so no event is lost and
 * none is worked off twice. A key that fails is tried again after a delay that doubles, or as soon
 * as it is added again. Thread-safe.
 *
 * @param <K> with {@code equals} and {@code hashCode} of a value
 */
public final class WorkQueue<K> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

  /** How long {@link #close()} waits for work under way: longer than a request may take. */
  private static final Duration CLOSE_DRAIN = Duration.ofSeconds(35);

  private final String name;
  private final QueueOptions options;
  private final QueueTiming timing;
  private final Reconciler<K> reconciler;
  private final QueueListener<K> listener;
  private final KeyTraces<K> traces;
  private final List<Thread> threads = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition somethingWaits = lock.newCondition();
  private final Condition placeFreed = lock.newCondition();
  private final Condition workEnded = lock.newCondition();
  private final KeyStates<K> keys;
  private boolean closed;
  private long succeeded;
  private long failed;

  private WorkQueue(
      String name,
      QueueOptions options,
      Reconciler<K> reconciler,
      QueueListener<K> listener,
      QueueTiming timing) {
    this.name = name;
    this.options = options;
    this.timing = timing;
    this.reconciler = reconciler;
    this.listener = listener;
    this.keys = new KeyStates<>(listener::tenant);
    this.traces = new KeyTraces<>(options.tracing(), name);
  }

  /**
   * @param name for threads, logs and spans
   */
  public static <K> WorkQueue<K> start(
      String name, QueueOptions options, Reconciler<K> reconciler, QueueListener<K> listener) {
    return start(name, options, reconciler, listener, QueueTiming.system());
  }

  public static <K> WorkQueue<K> start(
      String name,
      QueueOptions options,
      Reconciler<K> reconciler,
      QueueListener<K> listener,
      QueueTiming timing) {
    var queue = new WorkQueue<>(name, options, reconciler, listener, timing);
    for (int number = 1; number <= options.workers(); number++) {
      queue.threads.add(
          Thread.ofVirtual().name(name + "-" + number).unstarted(queue::workUntilClosed));
    }
    queue.threads.forEach(Thread::start);
    return queue;
  }

  /**
   * Adds a key, or notes that it is to be worked on again. Blocks while as many keys wait as the
   * queue has places, so that a flood of events slows its source; workers of this queue are never
   * blocked.
   *
   * @return false if the queue is closed, or the caller was interrupted while it waited
   */
  public boolean add(K key) {
    boolean own = threads.contains(Thread.currentThread());
    lock.lock();
    try {
      while (!closed && !own && keys.lengthens(key) && keys.waitingCount() >= options.capacity()) {
        placeFreed.await();
      }
      if (closed) {
        return false;
      }
      keys.add(key, timing.clock().instant());
      somethingWaits.signal();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  public QueueStatus status() {
    lock.lock();
    try {
      return new QueueStatus(
          keys.waitingCount(),
          keys.runningCount(),
          keys.delayedCount(),
          keys.failingCount(),
          keys.oldest(timing.clock().instant()),
          succeeded,
          failed);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #close(Duration)}, waiting a little longer than a request may take. */
  @Override
  public void close() {
    close(CLOSE_DRAIN);
  }

  /**
   * Accepts nothing more, drops what waits (the next start lists everything), and lets the work
   * under way end; interrupts it once the time is up. Idempotent.
   */
  public void close(Duration drain) {
    lock.lock();
    try {
      closed = true;
      keys.dropAllButRunning();
      somethingWaits.signalAll();
      placeFreed.signalAll();
      long remaining = drain.toNanos();
      while (keys.runningCount() > 0 && remaining > 0) {
        remaining = workEnded.awaitNanos(remaining);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    threads.forEach(Thread::interrupt);
  }

  private void workUntilClosed() {
    while (true) {
      Taken<K> taken = take();
      if (taken == null) {
        return;
      }
      Thread.interrupted();
      var begun = new AtomicBoolean();
      try {
        traced(taken, begun);
      } catch (RuntimeException | Error e) {
        LOG.error("{}: fields or trace of {} failed", name, taken.key(), e);
        if (!begun.get()) {
          work(taken.key());
        }
      }
    }
  }

  private void traced(Taken<K> taken, AtomicBoolean begun) {
    LogFields about = about(taken.key());
    try (var _ = about.open();
        WorkSpan _ = traces.begin(taken.key(), about, taken.since(), timing.clock().instant())) {
      begun.set(true);
      work(taken.key());
    }
  }

  private void work(K key) {
    Instant begin = timing.clock().instant();
    try {
      ReconcileResult next = Objects.requireNonNull(reconciler.reconcile(key), "next");
      ended(key, next);
      tell(key, () -> listener.succeeded(key, Duration.between(begin, timing.clock().instant())));
    } catch (Exception e) {
      failed(key, e);
    } catch (Error e) {
      // The thread goes on; the key is reported like any other failure.
      failed(key, new IllegalStateException("the reconciler broke", e));
    }
  }

  private LogFields about(K key) {
    try {
      return listener.about(key);
    } catch (RuntimeException | Error e) {
      LOG.error("{}: the listener failed on {}", name, key, e);
      return LogFields.NONE;
    }
  }

  /** Null once the queue is closed. */
  private @Nullable Taken<K> take() {
    lock.lock();
    try {
      while (!closed && !keys.hasWaiting()) {
        // Not even an interrupt that a worker left behind ends a thread of an open queue.
        somethingWaits.awaitUninterruptibly();
      }
      if (closed) {
        return null;
      }
      placeFreed.signal();
      return keys.take();
    } finally {
      lock.unlock();
    }
  }

  private void ended(K key, ReconcileResult next) {
    lock.lock();
    try {
      succeeded++;
      keys.succeeded(key);
      if (closed) {
        keys.settle(key);
      } else if (keys.addedMeanwhile(key)) {
        again(key);
      } else {
        switch (next) {
          case ReconcileResult.Done() -> keys.settle(key);
          case ReconcileResult.RequeueAfter(Duration delay) when delay.isZero() -> again(key);
          case ReconcileResult.RequeueAfter(Duration delay) -> later(key, delay);
        }
      }
      workEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void failed(K key, Exception cause) {
    int inARow;
    Duration delay;
    lock.lock();
    try {
      failed++;
      inARow = keys.failed(key);
      delay = delayAfter(inARow, cause);
    } finally {
      lock.unlock();
    }
    tell(key, () -> WorkSpan.current().failed(kind(cause)));
    // Before the key may be worked on again: else a success that follows is reported before this.
    tell(key, () -> listener.failed(key, cause, inARow, delay));
    lock.lock();
    try {
      if (closed) {
        keys.settle(key);
      } else {
        // Also covers what was added meanwhile: at once would be an endless loop for a key whose
        // work causes events and then fails.
        later(key, delay);
      }
      workEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void tell(K key, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: the listener failed on {}", name, key, e);
    }
  }

  private static String kind(Exception cause) {
    return cause instanceof KubeFailure failure
        ? failure.kind().name()
        : cause.getClass().getSimpleName();
  }

  private Duration delayAfter(int failures, Exception cause) {
    Duration delay = options.backoff().delay(failures, timing.chance());
    Duration asked = cause instanceof KubeFailure failure ? failure.retryAfter() : null;
    return asked != null && asked.compareTo(delay) > 0 ? asked : delay;
  }

  private void again(K key) {
    keys.enqueueAgain(key, timing.clock().instant());
    somethingWaits.signal();
  }

  private void later(K key, Duration delay) {
    keys.delay(key, timing.scheduler().after(delay, () -> due(key)));
  }

  private void due(K key) {
    lock.lock();
    try {
      if (!closed) {
        keys.due(key, timing.clock().instant());
        somethingWaits.signal();
      }
    } finally {
      lock.unlock();
    }
  }
}
