package dev.mooring.runtime.queue;

import dev.mooring.runtime.time.Scheduler.Scheduled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;

/**
 * Where every key of a queue is. A key is in at most one place, so it is worked on by one worker at
 * a time:
 *
 * <pre>
 *            add                take
 *   (absent) ───▶ Waiting ────────────────▶ Running(again?)
 *                    ▲  ▲                     │ done: again, or after zero
 *           add, due │  └─────────────────────┤
 *                 Delayed ◀───────────────────┤ done: after a delay, or failed
 *                                             └─▶ (absent) done: on event
 * </pre>
 *
 * Tenants take turns: one key of each, so that no tenant's keys wait for all of another's. Not
 * thread-safe: the queue's lock guards it.
 */
final class KeyStates<K> {
  private final Map<K, Place> places = new HashMap<>();
  private final Function<K, ?> tenants;

  /** By tenant, the one whose turn is next first; none is empty. */
  private final LinkedHashMap<Object, Queue<K>> lines = new LinkedHashMap<>();

  private final Map<K, Integer> failures = new HashMap<>();
  private int waiting;
  private int running;

  /**
   * @param tenants whose key it is
   */
  KeyStates(Function<K, ?> tenants) {
    this.tenants = tenants;
  }

  /** Whether adding the key would make the waiting line longer. */
  boolean lengthens(K key) {
    Place place = places.get(key);
    return place == null || place instanceof Delayed;
  }

  void add(K key, Instant now) {
    switch (places.get(key)) {
      case null -> enqueue(key, now);
      case Waiting _ -> {}
      case Running _ -> places.put(key, new Running(true));
      case Delayed(Scheduled due) -> {
        due.cancel();
        enqueue(key, now);
      }
    }
  }

  /** The key's delay has passed; nothing happens if it was added meanwhile. */
  void due(K key, Instant now) {
    if (places.get(key) instanceof Delayed) {
      enqueue(key, now);
    }
  }

  boolean hasWaiting() {
    return waiting > 0;
  }

  Taken<K> take() {
    Map.Entry<Object, Queue<K>> next = lines.pollFirstEntry();
    K key = next.getValue().remove();
    if (!next.getValue().isEmpty()) {
      lines.putLast(next.getKey(), next.getValue());
    }
    waiting--;
    Instant since =
        places.put(key, new Running(false)) instanceof Waiting(Instant added) ? added : Instant.MAX;
    running++;
    return new Taken<>(key, since);
  }

  /**
   * A key to be worked on.
   *
   * @param since when it was added
   */
  record Taken<K>(K key, Instant since) {}

  /** Whether the key was added while it was being worked on. */
  boolean addedMeanwhile(K key) {
    return places.get(key) instanceof Running(boolean again) && again;
  }

  void settle(K key) {
    running--;
    places.remove(key);
  }

  void enqueueAgain(K key, Instant now) {
    running--;
    enqueue(key, now);
  }

  void delay(K key, Scheduled due) {
    running--;
    places.put(key, new Delayed(due));
  }

  void succeeded(K key) {
    failures.remove(key);
  }

  /** In a row, this one included. */
  int failed(K key) {
    return failures.merge(key, 1, Integer::sum);
  }

  void dropAllButRunning() {
    places
        .values()
        .removeIf(place -> {
          if (place instanceof Delayed(Scheduled due)) {
            due.cancel();
          }
          return !(place instanceof Running);
        });
    lines.clear();
    waiting = 0;
  }

  int waitingCount() {
    return waiting;
  }

  int runningCount() {
    return running;
  }

  int delayedCount() {
    return places.size() - waiting - running;
  }

  int failingCount() {
    return failures.size();
  }

  /** How long the key has waited that has waited longest; zero if none waits. */
  Duration oldest(Instant now) {
    return lines.values().stream()
        .map(line -> places.get(line.element()) instanceof Waiting(Instant since) ? since : now)
        .min(Comparator.naturalOrder())
        .map(since -> Duration.between(since, now))
        .orElse(Duration.ZERO);
  }

  private void enqueue(K key, Instant now) {
    places.put(key, new Waiting(now));
    lines.computeIfAbsent(tenants.apply(key), _ -> new ArrayDeque<>()).add(key);
    waiting++;
  }

  private sealed interface Place {}

  private record Waiting(Instant since) implements Place {}

  /**
   * @param again whether it was added since work on it began
   */
  private record Running(boolean again) implements Place {}

  private record Delayed(Scheduled due) implements Place {}
}
