package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.sync.ObjectDiagnosis.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are not synced at the moment, and why. All are counted; of {@value #LISTED_MAX} at
 * most it is kept what is said of them. Thread-safe.
 */
final class FailureRegistry {
  static final int LISTED_MAX = 1000;

  private final ConcurrentHashMap<ObjectKey, Known> known = new ConcurrentHashMap<>();
  private final AtomicIntegerArray counts = new AtomicIntegerArray(State.values().length);

  /** How many objects fail for each reason; without those for which none does. */
  private final ConcurrentHashMap<String, Integer> failing = new ConcurrentHashMap<>();

  /** Why objects failed when that was last compared. */
  private Set<String> lastReasons = Set.of();

  private final ConcurrentSkipListMap<ObjectKey, Failure> listed = new ConcurrentSkipListMap<>();

  record Failure(State state, String reason, String message) {}

  /** As much as is kept of every one: whether it is the same failure again. */
  private record Known(State state, String reason, int said) {
    static Known of(Failure failure) {
      return new Known(failure.state, failure.reason, failure.message.hashCode());
    }

    Optional<String> failing() {
      return state.fails() ? Optional.of(reason) : Optional.empty();
    }
  }

  /** Whether this was not known of the object before. */
  boolean report(ObjectKey key, Failure failure) {
    Known now = Known.of(failure);
    Known before = known.put(key, now);
    count(before, now);
    boolean news = !now.equals(before);
    if (news && (listed.size() < LISTED_MAX || listed.containsKey(key))) {
      listed.put(key, failure);
    }
    return news;
  }

  void clear(ObjectKey key) {
    count(known.remove(key), null);
    listed.remove(key);
  }

  private void count(@Nullable Known before, @Nullable Known now) {
    if (before != null) {
      counts.decrementAndGet(before.state.ordinal());
    }
    if (now != null) {
      counts.incrementAndGet(now.state.ordinal());
    }
    Optional<String> failedBy = Optional.ofNullable(before).flatMap(Known::failing);
    Optional<String> failsBy = Optional.ofNullable(now).flatMap(Known::failing);
    if (!failsBy.equals(failedBy)) {
      failsBy.ifPresent(reason -> failing.merge(reason, 1, Integer::sum));
      failedBy.ifPresent(
          reason -> failing.computeIfPresent(reason, (_, count) -> count == 1 ? null : count - 1));
    }
  }

  /** Why objects fail; empty if none does. */
  Set<String> failingReasons() {
    return Set.copyOf(failing.keySet());
  }

  /**
   * Whether objects fail for other reasons than at the last call. Read and compared in one, or a
   * worker that read earlier would win.
   */
  synchronized boolean failingChanged() {
    Set<String> before = lastReasons;
    lastReasons = failingReasons();
    return !lastReasons.equals(before);
  }

  Optional<State> of(ObjectKey key) {
    return Optional.ofNullable(known.get(key)).map(Known::state);
  }

  /** Without a message if too many others are listed. */
  Optional<Failure> find(ObjectKey key) {
    return Optional.ofNullable(listed.get(key))
        .or(() ->
            Optional.ofNullable(known.get(key))
                .map(about -> new Failure(about.state, about.reason, "")));
  }

  int count(State state) {
    return counts.get(state.ordinal());
  }

  /** All objects that have this failure. */
  List<ObjectKey> with(String reason) {
    return known.entrySet().stream()
        .filter(entry -> entry.getValue().reason.equals(reason))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Which reasons there are for failing, how often, and one example; empty if nothing fails. */
  Optional<String> failing() {
    var byReason = new TreeMap<>(failing);
    if (byReason.isEmpty()) {
      return Optional.empty();
    }
    String reasons =
        byReason.entrySet().stream()
            .map(reason -> reason.getKey() + " (" + reason.getValue() + ")")
            .collect(Collectors.joining(", "));
    String example =
        listed.entrySet().stream()
            .filter(entry -> entry.getValue().state().fails())
            .findFirst()
            .map(first -> example(first.getKey(), first.getValue()))
            .orElse("");
    return Optional.of("Failing objects: " + reasons + "." + example);
  }

  private static String example(ObjectKey key, Failure failure) {
    return " The first, " + key + ", by " + failure.reason() + ": " + failure.message();
  }

  /** What is kept, in the order of the objects. */
  Map<ObjectKey, Failure> listed() {
    return new TreeMap<>(listed);
  }
}
