package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A state that several objects are to reach, and when each did. Thread-safe. */
final class Goal {
  /** Completed with the nanoTime at which the last one did. */
  final CompletableFuture<Long> reached = new CompletableFuture<>();

  private final Set<String> missing;
  private final Predicate<Optional<KubeObject>> state;
  private final Map<String, Long> times = new ConcurrentHashMap<>();

  Goal(Collection<String> ids, Predicate<Optional<KubeObject>> state) {
    this.missing = ConcurrentHashMap.newKeySet(ids.size());
    this.missing.addAll(ids);
    this.state = state;
  }

  void look(String id, Optional<KubeObject> object) {
    if (!missing.contains(id) || !state.test(object)) {
      return;
    }
    long now = System.nanoTime();
    // First the time: a reader that sees nothing missing finds all times.
    times.putIfAbsent(id, now);
    missing.remove(id);
    if (missing.isEmpty()) {
      reached.complete(now);
    }
  }

  /** The nanoTime at which the last one reached it; throws {@link HarnessFailure} if not all. */
  long await(String what) {
    try {
      return reached.get(Patience.MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String some = missing.stream().limit(3).collect(Collectors.joining(", "));
      throw new HarnessFailure(
          "After " + Patience.MAX + " " + missing.size() + " objects are not " + what + ": " + some,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("completed with values only", e);
    }
  }

  /** The nanoTime at which one reached it. */
  long timeOf(String id) {
    return Objects.requireNonNull(times.get(id), id);
  }
}
