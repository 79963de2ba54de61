package dev.mooring.sandbox;

import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.concurrent.Semaphore;

/**
 * The cache server of a sandbox with several shards, which has what they share. While it is
 * stopped, each shard goes on with what it has seen of the others, and they see nothing of what it
 * writes. Thread-safe.
 */
public final class CacheServer {
  private static final int WRITERS_MAX = Integer.MAX_VALUE;

  private final ResourceStore replicas = new InMemoryResourceStore();
  private final Semaphore writers = new Semaphore(WRITERS_MAX);
  private boolean running = true;

  CacheServer() {}

  public synchronized boolean isRunning() {
    return running;
  }

  /** Nothing is replicated any more when this returns. Does nothing if it does not run. */
  public synchronized void stop() {
    if (running) {
      writers.acquireUninterruptibly(WRITERS_MAX);
      running = false;
    }
  }

  /** Starts it again; what shards have written meanwhile is replicated a moment later. */
  public synchronized void start() {
    if (!running) {
      running = true;
      writers.release(WRITERS_MAX);
    }
  }

  ResourceStore replicas() {
    return replicas;
  }

  /** Each writer holds a permit; there is none while the server is stopped. */
  Semaphore writers() {
    return writers;
  }
}
