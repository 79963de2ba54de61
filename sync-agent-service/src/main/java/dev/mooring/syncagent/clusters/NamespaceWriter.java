package dev.mooring.syncagent.clusters;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.syncagent.published.SyncMarks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes Namespaces of the service cluster that the agent made, and keeps that apart from what the
 * agent makes in them: no server can condition the deletion of a Namespace on its being empty, and
 * caches show neither what is being made nor what was made a moment ago. No caller waits: the
 * second one is turned away. Where it is not known whether a Namespace is empty, it stays, and is
 * looked at again later by this process. Bounded by the requests under way, and {@value
 * #DEFERRED_MAX}. Thread-safe.
 */
public final class NamespaceWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceWriter.class);
  private static final int REMOVING = -1;

  /** Past this many, Namespaces of unknown contents stay for good. */
  private static final int DEFERRED_MAX = 10_000;

  /** A type that cannot be read may come back at any time; nothing waits for the Namespace. */
  static final Duration DEFERRED_RECHECK = Duration.ofSeconds(30);

  private final KubeClient service;
  private final Function<String, NamespaceContents> contents;
  private final WorkShare work;
  private final Scheduler scheduler;

  /** How many make something in a Namespace at this moment, or {@link #REMOVING}. */
  private final ConcurrentHashMap<String, Integer> inside = new ConcurrentHashMap<>();

  /** By name, what may be empty. */
  private final ConcurrentHashMap<String, Deferred> deferred = new ConcurrentHashMap<>();

  private boolean scheduled;
  private volatile boolean closed;

  /**
   * @param namespace as it was seen
   */
  private record Deferred(KubeObject namespace, Predicate<String> occupied) {
    boolean isFor(KubeObject now) {
      return now.uid().equals(namespace.uid())
          && !now.deleting()
          && Optional.ofNullable(now.labels().get(SyncMarks.NAMESPACE_OF))
              .equals(Optional.ofNullable(namespace.labels().get(SyncMarks.NAMESPACE_OF)));
    }
  }

  /**
   * @param contents what the server has in a Namespace that carries a source's mark; throws {@link
   *     KubeFailure} if it does not say
   */
  public NamespaceWriter(
      KubeClient service,
      Function<String, NamespaceContents> contents,
      WorkShare work,
      Scheduler scheduler) {
    this.service = service;
    this.contents = contents;
    this.work = work;
    this.scheduler = scheduler;
  }

  /**
   * Makes something in a Namespace.
   *
   * @param namespace empty for what is in none
   * @return empty, with nothing done, if the Namespace is being removed at this moment
   */
  public <T> Optional<T> inside(String namespace, Supplier<T> making) {
    if (namespace.isEmpty()) {
      return Optional.of(making.get());
    }
    int now =
        inside.merge(namespace, 1, (before, one) -> before == REMOVING ? before : before + one);
    if (now == REMOVING) {
      return Optional.empty();
    }
    try {
      return Optional.of(making.get());
    } finally {
      inside.computeIfPresent(namespace, (_, before) -> before == 1 ? null : before - 1);
    }
  }

  /**
   * Removes a Namespace, as it was seen, unless it holds anything. One that may not be removed, or
   * whose contents are unknown, or in which another replica may write, stays: no caller waits for
   * that.
   *
   * @param occupied whether there is more in a Namespace than {@code contents} finds
   * @param occupiedLater the same, for a later recheck
   * @throws KubeFailure if it is not known what became of it: then it is to be tried again
   */
  public void remove(
      KubeObject namespace, Predicate<String> occupied, Predicate<String> occupiedLater) {
    work.beginIn(namespace.name())
        .ifPresent(begun -> {
          try (begun) {
            removeOwn(namespace, occupied, occupiedLater);
          }
        });
  }

  private void removeOwn(
      KubeObject namespace, Predicate<String> occupied, Predicate<String> occupiedLater) {
    String name = namespace.name();
    if (inside.putIfAbsent(name, REMOVING) != null) {
      return; // the writer that is inside removes it afterwards
    }
    try {
      if (!occupied.test(name)) {
        switch (contents.apply(name)) {
          case NOTHING -> delete(namespace);
          case SOMETHING -> {
            // It goes with the last of that.
          }
          case UNKNOWN -> deferred(namespace, occupiedLater);
        }
      }
    } finally {
      inside.remove(name);
    }
  }

  private void deferred(KubeObject namespace, Predicate<String> occupied) {
    String name = namespace.name();
    if (deferred.size() >= DEFERRED_MAX) {
      LOG.warn("Namespace {} may be empty and stays: too many are waited for", name);
    } else if (deferred.put(name, new Deferred(namespace, occupied)) == null) {
      LOG.info(
          "Namespace {} stays for now: not all published types can say what they have there", name);
    }
    schedule();
  }

  private synchronized void schedule() {
    if (!scheduled && !closed) {
      scheduled = true;
      scheduler.after(
          DEFERRED_RECHECK,
          // Others wait for their time on this thread.
          () -> Thread.ofVirtual().name("emptied-namespaces").start(this::recheck));
    }
  }

  private void recheck() {
    synchronized (this) {
      scheduled = false;
    }
    removeDeferred();
  }

  /** Removes what has turned out to be empty since. */
  void removeDeferred() {
    for (String name : List.copyOf(deferred.keySet())) {
      Deferred waiting = deferred.remove(name);
      if (waiting == null || closed) {
        continue;
      }
      try {
        service
            .find(Clusters.NAMESPACES, "", name)
            .filter(waiting::isFor)
            .ifPresent(now -> remove(now, waiting.occupied(), waiting.occupied()));
      } catch (KubeFailure e) {
        deferred(waiting.namespace(), waiting.occupied());
      }
    }
  }

  /** Stops the rechecks. */
  @Override
  public void close() {
    closed = true;
    deferred.clear();
  }

  private void delete(KubeObject namespace) {
    try {
      service.delete(
          Clusters.NAMESPACES,
          "",
          namespace.name(),
          new DeleteCondition.Unchanged(namespace.uid(), namespace.resourceVersion()));
    } catch (KubeFailure e) {
      switch (e.kind()) {
        case NOT_FOUND -> {
          // Gone already.
        }
        case FORBIDDEN, INVALID, NOT_SERVED, TOO_LARGE ->
            LOG.warn(
                "Namespace {} holds nothing of the agent any more and stays: {}",
                namespace.name(),
                e.getMessage());
        case ALREADY_EXISTS, CONFLICT, UNAUTHORIZED, GONE, UNAVAILABLE -> throw e;
      }
    }
  }
}
