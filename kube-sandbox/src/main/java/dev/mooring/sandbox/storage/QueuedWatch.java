package dev.mooring.sandbox.storage;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A watch's share of the log, queued until its reader takes it. */
final class QueuedWatch implements StoreWatch {
  /** A reader this far behind is cut off; it lists again, which is cheaper than catching up. */
  static final int BACKLOG_MAX = 20_000;

  private final ListScope scope;
  private final WatchLog log;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<StoreEvent> queue;
  private long bytes;
  private String ended = "";
  private Runnable onCut = () -> {};
  private volatile long progress;

  QueuedWatch(ListScope scope, List<StoreEvent> missed, WatchLog log) {
    this.scope = scope;
    this.log = log;
    this.queue = new ArrayDeque<>(missed);
    missed.forEach(event -> bytes += event.object().footprint());
  }

  ListScope scope() {
    return scope;
  }

  void offer(StoreEvent event) {
    lock.lock();
    try {
      if (!ended.isEmpty()) {
        return;
      }
      if (queue.size() >= BACKLOG_MAX) {
        cut("the reader is more than " + BACKLOG_MAX + " events behind");
      } else if (!queue.isEmpty() && bytes > log.bytesMax()) {
        cut("the reader is more than " + log.bytesMax() + " bytes behind");
      } else {
        queue.addLast(event);
        bytes += event.object().footprint();
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void cut(String why) {
    queue.clear();
    bytes = 0;
    ended = why;
    onCut.run();
  }

  @Override
  public void onCut(Runnable action) {
    lock.lock();
    try {
      onCut = action;
    } finally {
      lock.unlock();
    }
  }

  /** What was queued before is still delivered. */
  void end(String why) {
    lock.lock();
    try {
      if (ended.isEmpty()) {
        ended = why;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<StoreEvent> next(Duration wait) throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lock();
    try {
      while (queue.isEmpty()) {
        if (!ended.isEmpty()) {
          throw new WatchClosed(ended);
        }
        if (nanos <= 0) {
          // All events up to here have been queued already, and so taken.
          progress = log.delivered();
          return Optional.empty();
        }
        nanos = changed.awaitNanos(nanos);
      }
      StoreEvent event = queue.removeFirst();
      bytes -= event.object().footprint();
      progress = event.version();
      return Optional.of(event);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long progress() {
    return progress;
  }

  @Override
  public void close() {
    onCut(() -> {});
    log.forget(this);
    end("closed by its reader");
  }

  @Override
  public String toString() {
    return "watch of " + scope;
  }
}
