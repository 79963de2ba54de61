package dev.mooring.depwebhook.index;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.CacheBudget;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The memory of all indexes together, so that no consumer's objects take the memory that reviews
 * need. Counted in objects of {@value #UNIT_CHARS} characters, the usual size of the fields that
 * rules read; larger objects count several times. Thread-safe.
 */
final class IndexMemoryBudget {
  /** Of an object's JSON; they take about a kilobyte of the heap. */
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
   * The share of one index.
   *
   * @param mostOfOne limit of this share
   * @param full called when an object does not fit; must not block
   */
  Share share(long mostOfOne, Runnable full) {
    return new Share(mostOfOne, full);
  }

  /** In objects of usual size; without apiVersion and kind, which a list does not repeat. */
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

  /** The memory of one index. */
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
      long weight = weight(object);
      synchronized (IndexMemoryBudget.this) {
        if (!closed && held + weight <= max && mine + weight <= mostOfOne) {
          held += weight;
          mine += weight;
          return true;
        }
      }
      full.run();
      return false;
    }

    @Override
    public void leave(KubeObject object) {
      long weight = weight(object);
      synchronized (IndexMemoryBudget.this) {
        if (!closed) {
          held -= weight;
          mine -= weight;
        }
      }
    }

    /** Returns all of it. Idempotent. */
    @Override
    public void close() {
      synchronized (IndexMemoryBudget.this) {
        if (!closed) {
          closed = true;
          held -= mine;
        }
      }
    }
  }
}
