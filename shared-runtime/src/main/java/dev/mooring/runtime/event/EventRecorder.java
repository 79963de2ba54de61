package dev.mooring.runtime.event;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.QueueTiming;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events in the background: warnings at once, normal notes a moment later. Equal notes are
 * counted on one Event, which is written at most once in a few seconds. Events are a courtesy:
 * recording never blocks, and what a server refuses, or is too much, is dropped and counted; a
 * server that is away for a moment is tried again. Thread-safe.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** Written notes remembered to be counted on; the longest unheard goes first. */
  static final int REMEMBERED_MAX = 4_096;

  /**
   * Notes waiting to be written, of some 500 bytes each: as many as ten thousand objects cause that
   * come at once.
   */
  static final int WAITING_MAX = 20_000;

  /** Each waits for one answer at a time: with two, events of a burst lagged by many seconds. */
  private static final int WORKERS = 8;

  /** How often the end looks whether something still waits to be written: for 5 seconds. */
  private static final int FLUSH_LOOKS = 100;

  private static final Duration FLUSH_PAUSE = Duration.ofMillis(50);

  /** Between two writes of one Event. */
  static final Duration SPACING = Duration.ofSeconds(5);

  /**
   * From recording a normal note to writing it: the objects of a burst go first, and a later note
   * may imply it by then.
   */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** With the queue's growing delays about half a minute. */
  private static final int ATTEMPTS_MAX = 9;

  private final EventWriter writer;
  private final QueueTiming timing;
  private final WorkQueue<Topic> queue;
  private volatile boolean closing;
  private final AtomicLong dropped = new AtomicLong();
  private final EventCounts<Topic> counts = new EventCounts<>(WAITING_MAX, REMEMBERED_MAX);

  private EventRecorder(String component, String instance, Ids ids, QueueTiming timing) {
    this.writer = new EventWriter(component, instance, ids);
    this.timing = timing;
    this.queue =
        WorkQueue.start(
            "events",
            // EventCounts are bounded, so the queue's own bound, which blocks, is not reached.
            QueueOptions.workers(WORKERS).withCapacity(WAITING_MAX * 2),
            this::write,
            QueueListener.ofTenants(Topic::cluster),
            timing);
  }

  /**
   * @param component such as {@code mooring-sync-agent}
   * @param instance such as the pod's name
   */
  public static EventRecorder start(String component, String instance) {
    // Events say when something was, to others.
    var timing = new QueueTiming(SystemTime.clock(), SystemTime.scheduler(), SystemTime.random());
    return start(component, instance, Ids.random(), timing);
  }

  public static EventRecorder start(
      String component, String instance, Ids ids, QueueTiming timing) {
    return new EventRecorder(component, instance, ids, timing);
  }

  /**
   * @param where the cluster in which the object is
   */
  public void record(KubeClient where, EventNote note) {
    var topic = new Topic(where.url(), note);
    note.implied().ifPresent(earlier -> counts.dropUnwritten(new Topic(where.url(), earlier)));
    if (counts.record(topic, EventCounts.Count.first(where, timing.clock().instant()))) {
      queue.add(topic);
    } else {
      dropped.incrementAndGet();
    }
  }

  /**
   * What has not become an Event.
   *
   * @param waiting notes to be written
   * @param dropped Events, since the start, that were dropped
   */
  public record Backlog(int waiting, long dropped) {}

  public Backlog backlog() {
    return new Backlog(counts.waitingCount(), dropped.get());
  }

  /** Writes what waits, each once; what remains after a few seconds is dropped and counted. */
  @Override
  public void close() {
    closing = true;
    counts.waiting().forEach(queue::add);
    for (int look = 0; look < FLUSH_LOOKS && counts.waitingCount() > 0; look++) {
      SystemTime.pause().forAbout(FLUSH_PAUSE);
    }
    queue.close(Duration.ofSeconds(2));
    int lost = counts.waitingCount();
    if (lost > 0) {
      dropped.addAndGet(lost);
      LOG.warn("Dropped {} events that could not be written before the end", lost);
    }
  }

  private ReconcileResult write(Topic topic) {
    EventCounts.Count count = counts.waiting(topic).orElse(null);
    if (count == null) {
      return new ReconcileResult.Done();
    }
    Instant now = timing.clock().instant();
    Instant due = due(topic.note(), count);
    if (!closing && now.isBefore(due)) {
      return new ReconcileResult.RequeueAfter(Duration.between(now, due));
    }
    try {
      String name = writer.write(topic.note(), count);
      counts.written(topic, name, count.count(), now);
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.UNAVAILABLE && count.attempts() < ATTEMPTS_MAX && !closing) {
        counts.attempted(topic);
        throw e;
      }
      counts.drop(topic);
      dropped.incrementAndGet();
      LOG.debug("Dropped an event about {}: {}", topic.note().about(), e.getMessage());
    }
    return new ReconcileResult.Done();
  }

  private static Instant due(EventNote note, EventCounts.Count count) {
    if (count.written() > 0) {
      return count.writtenAt().plus(SPACING);
    }
    return note.type().equals(EventNote.WARNING) ? count.first() : count.first().plus(GRACE);
  }

  /** What is counted together. */
  private record Topic(URI cluster, EventNote note) {}
}
