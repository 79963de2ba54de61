package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.WatchSink;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One watch, from the version at which it starts to the version that it reached. */
final class WatchSession implements WatchSink {
  /** For watches whose staleness has no effect. */
  private static final Duration UNENDING = Duration.ofHours(1);

  private final CacheUpdates updates;
  private final CacheFreshness freshness;
  private final Consumer<WatchEventType> received;
  private final CompletableFuture<Optional<KubeFailure>> end = new CompletableFuture<>();
  private volatile String version;
  private volatile boolean progressed;

  /** How a watch ended. */
  sealed interface End {
    /** The server ended it when it was asked to. */
    record Timely() implements End {}

    /** The server ended it in the ordinary way, but before it was asked to. */
    record Early() implements End {}

    record Broken(KubeFailure cause) implements End {}

    /** It was given up: no event came for too long. */
    record Silent() implements End {}
  }

  /**
   * @param received takes every event once the cache has it
   */
  WatchSession(
      CacheUpdates updates,
      String version,
      CacheFreshness freshness,
      Consumer<WatchEventType> received) {
    this.updates = updates;
    this.freshness = freshness;
    this.version = version;
    this.received = received;
  }

  @Override
  public void event(WatchEventType type, KubeObject object) {
    try {
      switch (type) {
        case ADDED, MODIFIED -> updates.put(object);
        case DELETED -> updates.remove(object);
        case BOOKMARK -> {}
      }
    } catch (CacheUpdates.CacheFull e) {
      // The informer sees it for itself, and ends.
      end.complete(Optional.empty());
      return;
    }
    if (!object.resourceVersion().isEmpty()) {
      version = object.resourceVersion();
    }
    progressed = true;
    received.accept(type);
  }

  @Override
  public void closed(@Nullable KubeFailure cause) {
    end.complete(Optional.ofNullable(cause));
  }

  /**
   * Waits for the end, or until nothing was proved for too long.
   *
   * @param asked when the watch was
   * @param life for which it was
   */
  End awaitEnd(Instant asked, Duration life, InstantSource clock) {
    try {
      while (true) {
        Optional<Instant> patience = freshness.patience(asked, life);
        Duration left =
            patience.map(most -> Duration.between(clock.instant(), most)).orElse(UNENDING);
        if (left.isNegative()) {
          return new End.Silent();
        }
        try {
          Optional<KubeFailure> cause = end.get(left.toMillis() + 1, TimeUnit.MILLISECONDS);
          // Servers count from a later moment than this process, in whole seconds.
          boolean early = clock.instant().isBefore(asked.plus(life.minus(life.dividedBy(18))));
          return cause
              .<End>map(End.Broken::new)
              .orElseGet(() -> early ? new End.Early() : new End.Timely());
        } catch (TimeoutException e) {
          // what was proved meanwhile gives more time
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("completed with values only", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new End.Early();
    }
  }

  /** That the watch was open for long counts as progress. */
  void held() {
    progressed = true;
  }

  boolean progressed() {
    return progressed;
  }

  /** After which the next watch starts. */
  String version() {
    return version;
  }
}
