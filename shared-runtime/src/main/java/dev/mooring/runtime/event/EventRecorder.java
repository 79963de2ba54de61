package dev.mooring.runtime.event;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.queue.Next;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.QueueTiming;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Ids;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events in the background. Equal notes are counted on one Event, which is written at most
 * once in a few seconds. Events are a courtesy: recording never blocks, and what cannot be written,
 * or is too much, is dropped and counted. Thread-safe.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  /** Notes remembered to be counted on; the longest unheard goes first. */
  static final int REMEMBERED_MAX = 4_096;

  /** Notes waiting to be written; more means that something says the same of very many objects. */
  private static final int WAITING_MAX = 1_000;

  /** Between two writes of one Event. */
  static final Duration SPACING = Duration.ofSeconds(5);

  private final EventWriter writer;
  private final QueueTiming timing;
  private final WorkQueue<Topic> queue;
  private final AtomicLong dropped = new AtomicLong();
  private final Map<Topic, Tally> tallies = new LinkedHashMap<>(64, 0.75f, true);

  private EventRecorder(String component, String instance, Ids ids, QueueTiming timing) {
    this.writer = new EventWriter(component, instance, ids);
    this.timing = timing;
    this.queue =
        WorkQueue.start(
            "events",
            // Recording looks at the line first, so the queue's own bound is not reached.
            QueueOptions.workers(1).withCapacity(WAITING_MAX * 2),
            this::write,
            QueueListener.none(),
            timing);
  }

  /**
   * @param component such as {@code mooring-sync-agent}
   * @param instance such as the pod's name
   */
  public static EventRecorder start(String component, String instance) {
    return start(component, instance, Ids.random(), QueueTiming.system());
  }

  public static EventRecorder start(
      String component, String instance, Ids ids, QueueTiming timing) {
    return new EventRecorder(component, instance, ids, timing);
  }

  /**
   * @param where the cluster in which the object is
   */
  public void record(KubeClient where, EventNote note) {
    if (queue.status().waiting() >= WAITING_MAX) {
      dropped.incrementAndGet();
      return;
    }
    var topic = new Topic(where.url(), note);
    synchronized (tallies) {
      tallies.merge(
          topic, Tally.first(where, timing.clock().instant()), (before, now) -> before.again(now));
      if (tallies.size() > REMEMBERED_MAX) {
        tallies.remove(tallies.keySet().iterator().next());
      }
    }
    queue.add(topic);
  }

  /** Notes that nobody will see. */
  public long dropped() {
    return dropped.get();
  }

  /** Gives what is being written a moment; what waits is dropped. */
  @Override
  public void close() {
    queue.close(Duration.ofSeconds(2));
  }

  private Next write(Topic topic) {
    Tally tally;
    synchronized (tallies) {
      tally = tallies.get(topic);
    }
    if (tally == null || tally.count() == tally.written()) {
      return new Next.OnEvent();
    }
    Instant now = timing.clock().instant();
    if (tally.written() > 0 && now.isBefore(tally.writtenAt().plus(SPACING))) {
      return new Next.After(Duration.between(now, tally.writtenAt().plus(SPACING)));
    }
    try {
      String name = writer.write(topic.note(), tally);
      synchronized (tallies) {
        tallies.computeIfPresent(topic, (_, latest) -> latest.writtenAs(name, tally.count(), now));
      }
    } catch (KubeFailure e) {
      dropped.incrementAndGet();
      LOG.debug("Dropped an event about {}: {}", topic.note().about(), e.getMessage());
    }
    return new Next.OnEvent();
  }

  /** What is counted together. */
  private record Topic(URI cluster, EventNote note) {}
}
