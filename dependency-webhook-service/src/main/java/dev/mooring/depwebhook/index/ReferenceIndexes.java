package dev.mooring.depwebhook.index;

import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes that are open: opened when first asked for, closed when nobody asks any more, never
 * more than so many. Edited rules read other fields and so get another index. Thread-safe.
 */
public final class ReferenceIndexes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceIndexes.class);
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(30);

  /** From finding that a type is not served to the next try; it is listed all the while. */
  static final Duration UNSERVED = Duration.ofSeconds(30);

  /** Whether it is time for looks is seen so often: every 2.5 s of 75. */
  private static final int LOOKS_PER_SILENCE = 30;

  private final Function<LogicalCluster, KubeClient> workspaces;
  private final IndexLimits terms;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final IndexMemoryBudget space;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Key, Held> open = new HashMap<>();
  private final BindingRevalidator looks;

  /** What is listed for a while, as it found no room or is not served. */
  private final Cooldown<Key> resting;

  private volatile boolean closed;

  private record Key(LogicalCluster cluster, ResourceType type, List<ReferenceReader> readers) {}

  private static final class Held {
    private final ReferenceIndex index;
    private Instant lastAsked;

    Held(ReferenceIndex index, Instant now) {
      this.index = index;
      this.lastAsked = now;
    }
  }

  private ReferenceIndexes(
      Function<LogicalCluster, KubeClient> workspaces,
      IndexLimits terms,
      InstantSource clock,
      Scheduler scheduler) {
    this.workspaces = workspaces;
    this.terms = terms;
    this.space = new IndexMemoryBudget(terms.totalMax());
    this.resting = new Cooldown<>(terms.indexesMax());
    this.clock = clock;
    this.scheduler = scheduler;
    this.looks = new BindingRevalidator(clock);
  }

  public static ReferenceIndexes start(
      Function<LogicalCluster, KubeClient> workspaces,
      IndexLimits terms,
      InstantSource clock,
      Scheduler scheduler) {
    var indexes = new ReferenceIndexes(workspaces, terms, clock, scheduler);
    indexes.sweepLater();
    indexes.lookLater();
    return indexes;
  }

  /** The index that answers for these readers, if it is open and current; else it is opened. */
  public Optional<ReferenceIndex> usable(
      LogicalCluster cluster, ResourceType type, List<ReferenceReader> readers, FieldMask mask) {
    Instant now = clock.instant();
    var key = new Key(cluster, type, readers);
    lock.lock();
    try {
      Held held = open.get(key);
      if (held == null) {
        if (!closed && !resting.rests(key, now)) {
          open(key, mask, now);
        }
        return Optional.empty();
      }
      held.lastAsked = now;
      return held.index.current(now) ? Optional.of(held.index) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * All indexes at one moment.
   *
   * @param indexes open
   * @param objects held
   * @param oldest since it was last certain of the stalest index that nothing is missing; zero
   *     without one
   * @param fill how much of what all may hold together is taken, from 0 to 1
   * @param unconfirmed of how many the consumer's APIBindings could not be read when they were last
   *     looked at; they are not believed for long
   * @param problem why not, of one of them; empty without any
   */
  public record Status(
      int indexes, int objects, Duration oldest, double fill, int unconfirmed, String problem) {
    /** Nothing is open. */
    static final Status NONE = new Status(0, 0, Duration.ZERO, 0, 0, "");
  }

  public Status status() {
    Instant now = clock.instant();
    lock.lock();
    try {
      int objects = open.values().stream().mapToInt(held -> held.index.objects()).sum();
      Duration oldest =
          open.values().stream()
              .flatMap(held -> held.index.lastContact().stream())
              .map(at -> Duration.between(at, now))
              .max(Comparator.naturalOrder())
              .orElse(Duration.ZERO);
      List<String> problems =
          open.values().stream()
              .flatMap(held -> held.index.problem().stream())
              .map(Throwable::getMessage)
              .toList();
      return new Status(
          open.size(),
          objects,
          oldest,
          space.fill(),
          problems.size(),
          problems.stream().findFirst().orElse(""));
    } finally {
      lock.unlock();
    }
  }

  /** Closes what nobody asks any more. */
  void sweep() {
    Instant now = clock.instant();
    lock.lock();
    try {
      resting.sweep(now);
      for (Iterator<Map.Entry<Key, Held>> each = open.entrySet().iterator(); each.hasNext(); ) {
        Map.Entry<Key, Held> entry = each.next();
        Held held = entry.getValue();
        if (held.lastAsked.plus(terms.idleMax()).isBefore(now)) {
          held.index.close();
          each.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    var all = new ArrayList<ReferenceIndex>();
    lock.lock();
    try {
      closed = true;
      open.values().forEach(held -> all.add(held.index));
      open.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(ReferenceIndex::close);
  }

  private void open(Key key, FieldMask mask, Instant now) {
    if (open.size() >= terms.indexesMax() && !closeIdlest(now)) {
      return;
    }
    LOG.debug("Indexing {} in logical cluster {}", key.type(), key.cluster());
    IndexMemoryBudget.Share share =
        space.share(
            terms.objectsMax(),
            // Not by the index's own thread, which holds what closing waits for.
            () -> Thread.ofVirtual().name("index-full").start(() -> giveUp(key)));
    var held =
        new Held(
            new ReferenceIndex(
                workspaces.apply(key.cluster()),
                key.type(),
                key.readers(),
                mask,
                terms.silenceMax(),
                share),
            now);
    open.put(key, held);
    beginLook(key, held);
  }

  /** Looks at the bindings of those of which it is time. Waits for nothing. */
  void look() {
    Instant now = clock.instant();
    lock.lock();
    try {
      open.forEach((key, held) -> {
        if (held.index.wantsLook(now)) {
          beginLook(key, held);
        }
      });
    } finally {
      lock.unlock();
    }
  }

  private void beginLook(Key key, Held held) {
    looks.begin(
        key.cluster(),
        key.type(),
        held.index,
        new BindingRevalidator.Ends(() -> drop(key, held), () -> restUnserved(key, held)));
  }

  private void restUnserved(Key key, Held held) {
    lock.lock();
    try {
      resting.add(key, clock.instant().plus(UNSERVED));
    } finally {
      lock.unlock();
    }
    drop(key, held);
  }

  private void drop(Key key, Held held) {
    lock.lock();
    try {
      open.remove(key, held);
    } finally {
      lock.unlock();
    }
    held.index.close();
  }

  /** It does not fit: its type is listed for a while. */
  private void giveUp(Key key) {
    lock.lock();
    try {
      Held held = open.remove(key);
      if (held == null) {
        return;
      }
      held.index.close();
      resting.add(key, clock.instant().plus(terms.idleMax()));
    } finally {
      lock.unlock();
    }
    LOG.warn(
        "{} in logical cluster {} is listed, not indexed: one index may hold {} objects, all"
            + " together {} (index.objects-max, index.total-objects-max), and larger ones count"
            + " several times",
        key.type(),
        key.cluster(),
        terms.objectsMax(),
        terms.totalMax());
  }

  /** One that was asked a moment ago is not closed for another: both would be opened in turn. */
  private boolean closeIdlest(Instant now) {
    Optional<Map.Entry<Key, Held>> idlest =
        open.entrySet().stream()
            .min(Comparator.comparing(entry -> entry.getValue().lastAsked))
            .filter(entry -> entry.getValue().lastAsked.plus(terms.silenceMax()).isBefore(now));
    idlest.ifPresent(entry -> {
      entry.getValue().index.close();
      open.remove(entry.getKey());
    });
    return idlest.isPresent();
  }

  private void lookLater() {
    scheduler.after(
        terms.silenceMax().dividedBy(LOOKS_PER_SILENCE),
        () -> {
          if (!closed) {
            look();
            lookLater();
          }
        });
  }

  private void sweepLater() {
    scheduler.after(
        SWEEP_EVERY,
        () -> {
          if (!closed) {
            Thread.ofVirtual().name("index-sweep").start(this::sweep);
            sweepLater();
          }
        });
  }
}
