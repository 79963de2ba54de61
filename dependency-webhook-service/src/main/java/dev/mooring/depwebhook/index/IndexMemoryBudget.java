package dev.mooring.depwebhook.index;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.CacheBudget;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all indexes may hold together, so that no consumer, however many objects it has, takes the
 * memory that reviews need. Counted in objects of some {@value #UNIT_CHARS} characters, as most are
 * of which only the fields that rules read are held; larger ones count several times. Thread-safe.
 */
final class IndexMemoryBudget {
  /** Of an object's JSON; the heap holds about a kilobyte for them. */
  static final int UNIT_CHARS = 400;

  private static final Set<String> TYPE = Set.of("apiVersion", "kind");

  private final long max;
  private long held;

  /**
   * @param max in objects
   */
  IndexMemoryBudget(long max) {
    this.max = max;
  }

  /** From 0 to 1. */
  synchronized double fill() {
    return (double) held / max;
  }

  /**
   * The part of one index.
   *
   * @param mostOfOne how much of the space it may take
   * @param full called when it wants more than there is; must be quick
   */
  Share share(long mostOfOne, Runnable full) {
    return new Share(mostOfOne, full);
  }

  /** As objects of usual size. What type they are of is not always held with them. */
  static long weight(KubeObject object) {
    return 1
        + object.tree().entrySet().stream()
                .filter(field -> !TYPE.contains(field.getKey()))
                .mapToLong(field -> characters(field.getValue()))
                .sum()
            / UNIT_CHARS;
  }

  private static long characters(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .mapToLong(entry -> characters(entry.getKey()) + characters(entry.getValue()))
              .sum();
      case List<?> list -> list.stream().mapToLong(IndexMemoryBudget::characters).sum();
      case String text -> text.length() + 3L;
      case null, default -> 5;
    };
  }

  private synchronized boolean taken(Share by, long weight) {
    if (by.closed || held + weight > max || by.mine + weight > by.mostOfOne) {
      return false;
    }
    held += weight;
    by.mine += weight;
    return true;
  }

  private synchronized void given(Share by, long weight) {
    if (!by.closed) {
      held -= weight;
      by.mine -= weight;
    }
  }

  private synchronized void closed(Share share) {
    if (!share.closed) {
      share.closed = true;
      held -= share.mine;
    }
  }

  /** What one index holds. */
  final class Share implements CacheBudget, AutoCloseable {
    private final long mostOfOne;
    private final Runnable full;
    private long mine;
    private boolean closed;

    private Share(long mostOfOne, Runnable full) {
      this.mostOfOne = mostOfOne;
      this.full = full;
    }

    @Override
    public boolean take(KubeObject object) {
      if (taken(this, weight(object))) {
        return true;
      }
      full.run();
      return false;
    }

    @Override
    public void leave(KubeObject object) {
      given(this, weight(object));
    }

    /** Gives all of it back. Idempotent. */
    @Override
    public void close() {
      closed(this);
    }
  }
}
