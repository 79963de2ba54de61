package dev.mooring.depwebhook.index;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.ReferenceIndex.Revalidation;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.object.FieldMask;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open indexes: opened by the first question, closed once they are idle, bounded in number and
 * memory. Edited rules read other fields, and so get another index. Thread-safe.
 */
public final class ReferenceIndexes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceIndexes.class);
  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(30);

  /** Until a type that is not served is indexed again; meanwhile it is listed. */
  static final Duration UNSERVED_RETRY = Duration.ofSeconds(30);

  /** At most so many types are remembered as too large or unserved. */
  private static final int COOLDOWNS_MAX = 1_000;

  /** Checks for due revalidations: every 2.5 s of 75. */
  private static final int CHECKS_PER_STALENESS = 30;

  /** At a time; further indexes wait. */
  private static final int REVALIDATIONS_MAX = 16;

  private final Workspaces<KubeClient> workspaces;
  private final IndexLimits limits;
  private final InstantSource clock;
  private final IndexMemoryBudget memory;
  private final Map<Key, ReferenceIndex> open = new HashMap<>();
  private final Semaphore running = new Semaphore(REVALIDATIONS_MAX);
  private final Set<ReferenceIndex> revalidating = ConcurrentHashMap.newKeySet();

  /** Until when types are listed that exceed the memory or are not served. */
  private final Cache<Key, Instant> cooldowns;

  private List<Scheduler.Scheduled> repeated = List.of();
  private boolean closed;

  private record Key(TypeInWorkspace type, List<ReferenceReader> readers) {}

  private ReferenceIndexes(
      Workspaces<KubeClient> workspaces, IndexLimits limits, InstantSource clock) {
    this.workspaces = workspaces;
    this.limits = limits;
    this.memory = new IndexMemoryBudget(limits.totalMax());
    this.cooldowns = CacheBuilder.newBuilder().maximumSize(COOLDOWNS_MAX).build();
    this.clock = clock;
  }

  public static ReferenceIndexes start(
      Workspaces<KubeClient> workspaces,
      IndexLimits limits,
      InstantSource clock,
      Scheduler scheduler) {
    var indexes = new ReferenceIndexes(workspaces, limits, clock);
    indexes.repeated =
        List.of(
            scheduler.every(SWEEP_INTERVAL, "index-sweep", indexes::sweep),
            scheduler.every(
                limits.maxStaleness().dividedBy(CHECKS_PER_STALENESS),
                "index-checks",
                indexes::revalidate));
    return indexes;
  }

  /** The index for these readers, if it is open and usable; else opens it. */
  public synchronized Optional<ReferenceIndex> usable(
      TypeInWorkspace type, List<ReferenceReader> readers, FieldMask mask) {
    Instant now = clock.instant();
    var key = new Key(type, readers);
    ReferenceIndex index = open.get(key);
    if (index == null) {
      if (!closed && !isCooling(key, now)) {
        open(key, mask, now);
      }
      return Optional.empty();
    }
    index.asked(now);
    return index.isUsable(now) ? Optional.of(index) : Optional.empty();
  }

  private boolean isCooling(Key key, Instant now) {
    Instant until = cooldowns.getIfPresent(key);
    return until != null && !until.isBefore(now);
  }

  /**
   * All indexes at one moment.
   *
   * @param indexes open
   * @param objects held
   * @param oldest age of the last proof that the stalest index is complete; zero without an index
   * @param fill part of the shared memory that is used, from 0 to 1
   * @param unconfirmed indexes whose consumer's APIBindings could not be read last; they do not
   *     answer for long
   * @param problem of one of those; empty without any
   */
  public record Status(
      int indexes, int objects, Duration oldest, double fill, int unconfirmed, String problem) {
    /** Nothing is open. */
    static final Status NONE = new Status(0, 0, Duration.ZERO, 0, 0, "");
  }

  public synchronized Status status() {
    Instant now = clock.instant();
    int objects = open.values().stream().mapToInt(ReferenceIndex::objects).sum();
    Duration oldest =
        open.values().stream()
            .flatMap(index -> index.completeUntil().stream())
            .map(at -> Duration.between(at, now))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    List<String> problems =
        open.values().stream()
            .flatMap(index -> index.problem().stream())
            .map(Throwable::getMessage)
            .toList();
    return new Status(
        open.size(),
        objects,
        oldest,
        memory.fill(),
        problems.size(),
        problems.stream().findFirst().orElse(""));
  }

  /** Closes idle indexes. */
  void sweep() {
    List<ReferenceIndex> idle;
    synchronized (this) {
      Instant now = clock.instant();
      idle =
          open.values().stream()
              .filter(index -> index.lastAsked().plus(limits.idleMax()).isBefore(now))
              .toList();
      open.values().removeAll(idle);
    }
    idle.forEach(ReferenceIndex::close);
  }

  @Override
  public void close() {
    List<ReferenceIndex> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
      open.clear();
    }
    repeated.forEach(Scheduler.Scheduled::cancel);
    all.forEach(ReferenceIndex::close);
  }

  private void open(Key key, FieldMask mask, Instant now) {
    if (open.size() >= limits.indexesMax() && !closeIdlest(now)) {
      return;
    }
    LOG.debug("Indexing {}", key.type());
    IndexMemoryBudget.Share share =
        memory.share(
            limits.objectsMax(),
            // On another thread: the index's own holds what closing waits for.
            () -> Thread.ofVirtual().name("index-full").start(() -> giveUp(key)));
    var index =
        new ReferenceIndex(
            workspaces.in(key.type().cluster()),
            key.type(),
            key.readers(),
            mask,
            limits.maxStaleness(),
            share,
            now);
    open.put(key, index);
    revalidate(key, index);
  }

  /** Starts the revalidations that are due; does not wait for them. */
  synchronized void revalidate() {
    Instant now = clock.instant();
    open.forEach((key, index) -> {
      if (index.needsRevalidation(now)) {
        revalidate(key, index);
      }
    });
  }

  /** Returns at once; each index is revalidated once at a time. */
  private void revalidate(Key key, ReferenceIndex index) {
    if (revalidating.add(index)) {
      Thread.ofVirtual()
          .name("index-revalidation")
          .start(() -> {
            running.acquireUninterruptibly();
            try {
              boolean failedBefore = index.problem().isPresent();
              Revalidation result = index.revalidate(clock);
              if (!failedBefore) {
                index.problem().ifPresent(failure -> warn(index, failure));
              }
              revalidated(key, index, result);
            } finally {
              running.release();
              revalidating.remove(index);
            }
          });
    }
  }

  private void revalidated(Key key, ReferenceIndex index, Revalidation result) {
    if (result == Revalidation.CLOSE_UNSERVED) {
      LOG.debug("{} is not served: index closed", index);
      cooldowns.put(key, clock.instant().plus(UNSERVED_RETRY));
    }
    if (result != Revalidation.KEEP) {
      close(key, index);
    }
  }

  private static void warn(ReferenceIndex index, KubeFailure failure) {
    LOG.warn(
        "APIBinding of {} not readable; listing instead of indexing: {}{}",
        index,
        failure.getMessage(),
        failure.isDenied()
            ? "; let the webhook's user get and list apibindings.apis.kcp.io there"
            : "");
  }

  private void close(Key key, ReferenceIndex index) {
    synchronized (this) {
      open.remove(key, index);
    }
    index.close();
  }

  /** The index exceeds the memory: its type is listed for a while. */
  private void giveUp(Key key) {
    ReferenceIndex index;
    synchronized (this) {
      index = open.remove(key);
      if (index == null) {
        return;
      }
      cooldowns.put(key, clock.instant().plus(limits.idleMax()));
    }
    index.close();
    LOG.warn(
        "Listing {} instead of indexing: one index may hold {} objects, all together {}"
            + " (index.objects-max, index.total-objects-max); larger objects count several times",
        key.type(),
        limits.objectsMax(),
        limits.totalMax());
  }

  /** Keeps an index that was asked a moment ago: two would else be opened in turn. */
  private boolean closeIdlest(Instant now) {
    Optional<Map.Entry<Key, ReferenceIndex>> idlest =
        open.entrySet().stream()
            .min(Comparator.comparing(entry -> entry.getValue().lastAsked()))
            .filter(
                entry -> entry.getValue().lastAsked().plus(limits.maxStaleness()).isBefore(now));
    idlest.ifPresent(entry -> {
      // Each review of an indexed rule takes this object's lock, and closing ends a request.
      Thread.ofVirtual().name("index-close").start(entry.getValue()::close);
      open.remove(entry.getKey());
    });
    return idlest.isPresent();
  }
}
