package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.WatchSink;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One watch, from the version at which it starts to the version that it reached. */
final class WatchSession implements WatchSink {
  private final CacheUpdates updates;
  private final Runnable heard;
  private final CompletableFuture<Optional<KubeFailure>> end = new CompletableFuture<>();
  private volatile String version;
  private volatile boolean progressed;

  WatchSession(CacheUpdates updates, String version, Runnable heard) {
    this.updates = updates;
    this.version = version;
    this.heard = heard;
  }

  @Override
  public void event(WatchEventType type, KubeObject object) {
    try {
      switch (type) {
        case ADDED, MODIFIED -> updates.put(object);
        case DELETED -> updates.remove(object);
        case BOOKMARK -> {}
      }
    } catch (CacheFull e) {
      // The informer sees it for itself, and ends.
      end.complete(Optional.empty());
      return;
    }
    if (!object.resourceVersion().isEmpty()) {
      version = object.resourceVersion();
    }
    progressed = true;
    heard.run();
  }

  @Override
  public void closed(KubeFailure cause) {
    end.complete(Optional.ofNullable(cause));
  }

  /** Null if the watch ended in the ordinary way. */
  KubeFailure awaitEnd() {
    try {
      return end.get().orElse(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("completed with values only", e);
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
