package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The order of all writes: one counter of versions, and per resource the last events and those who
 * wait for more. A write holds the lock for as long as it takes to put one object into a map and
 * one event into the queues of the watches that cover it; nothing is written to a client meanwhile.
 */
final class WatchLog {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ResourceKey, EventBuffer> buffers = new HashMap<>();
  private final List<QueuedWatch> watchesOfSeveral = new ArrayList<>();
  private final int window;
  private final long bytesMax;
  private long bytes;
  private final long complete;
  private volatile long version;
  private volatile long delivered;

  /** The version of the write that is under way, if there is one; else the last. */
  private volatile long begun;

  /** The last events of one resource. */
  private static final class EventBuffer {
    final ArrayDeque<StoreEvent> events = new ArrayDeque<>();
    final WatchIndex watches = new WatchIndex();
    // All events after this version are held.
    long complete;
    long last;
    final Map<LogicalCluster, Long> lastIn = new HashMap<>();
    // No cluster that is missing above has a later event.
    long forgotten;
    long bytes;

    EventBuffer(long complete) {
      this.complete = complete;
    }
  }

  /**
   * @param window how many events each resource holds; older versions are expired
   * @param bytesMax of all objects in events, of all resources together
   * @param version before the first write
   * @param complete all events after this version are held
   */
  WatchLog(int window, long bytesMax, long version, long complete) {
    this.window = window;
    this.bytesMax = bytesMax;
    this.version = version;
    this.delivered = version;
    this.begun = version;
    this.complete = complete;
  }

  /** Bytes of objects, about, that a reader of events may leave lying. */
  long bytesMax() {
    return bytesMax;
  }

  /** All writes up to this version are visible to every reader. */
  long version() {
    return version;
  }

  /** All events up to this version are in the queues of the watches that they concern. */
  long delivered() {
    return delivered;
  }

  /** As {@link #version}, once the write that made it has been delivered. */
  long deliveredVersion() {
    return alone(this::version);
  }

  void open(ResourceKey resourceKey) {
    alone(() -> buffers.computeIfAbsent(resourceKey, _ -> new EventBuffer(version)));
  }

  /**
   * Runs one write under the next version, which is used up only if the write makes an event.
   *
   * @param write puts the object where readers find it and answers the event, if any
   */
  Optional<StoreEvent> append(ResourceKey resourceKey, LongFunction<Optional<StoreEvent>> write) {
    lock.lock();
    try {
      long next = version + 1;
      begun = next;
      Optional<StoreEvent> made = write.apply(next);
      if (made.isEmpty()) {
        return made;
      }
      StoreEvent event = made.get();
      EventBuffer buffer = buffer(resourceKey);
      buffer.events.addLast(event);
      buffer.bytes += event.object().footprint();
      bytes += event.object().footprint();
      buffer.last = next;
      buffer.lastIn.put(event.object().key().cluster(), next);
      if (buffer.lastIn.size() > 2 * window) {
        buffer.lastIn.values().removeIf(last -> last <= buffer.complete);
        buffer.forgotten = buffer.complete;
      }
      if (buffer.events.size() > window) {
        forgetOldest(buffer);
      }
      if (bytes > bytesMax) {
        forgetLargest();
      }
      // The version rises before the event is delivered: else a reader would take what it derived
      // from an older version for current.
      version = next;
      buffer.watches.offer(event);
      for (QueuedWatch watch : watchesOfSeveral) {
        if (watch.scope().resourceKey().covers(resourceKey)) {
          watch.offer(event);
        }
      }
      delivered = next;
      return made;
    } finally {
      begun = version;
      lock.unlock();
    }
  }

  /** Runs reads and writes that no other write comes between. */
  <T> T alone(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void forgetOldest(EventBuffer buffer) {
    StoreEvent oldest = buffer.events.removeFirst();
    buffer.complete = oldest.version();
    buffer.bytes -= oldest.object().footprint();
    bytes -= oldest.object().footprint();
  }

  /** Somewhat more than has to be, so that not every write looks for the largest buffer. */
  private void forgetLargest() {
    long goal = bytesMax - bytesMax / 16;
    while (bytes > goal) {
      EventBuffer largest =
          Collections.max(buffers.values(), Comparator.comparingLong(buffer -> buffer.bytes));
      long half = largest.bytes / 2;
      while (bytes > goal && largest.bytes > half) {
        forgetOldest(largest);
      }
    }
  }

  /** As {@link ResourceStore#lastEvent}. */
  long lastEvent(ResourceKey resourceKey, Optional<LogicalCluster> cluster) {
    return alone(() -> {
      EventBuffer buffer = buffer(resourceKey);
      return cluster
          .map(only -> buffer.lastIn.getOrDefault(only, buffer.forgotten))
          .orElse(buffer.last);
    });
  }

  /**
   * The events of the scope after the version, newest last. Waits for no write if there is none.
   */
  List<StoreEvent> since(ListScope scope, long after) {
    return begun == after
        ? List.of()
        : alone(() -> eventsAfter(buffer(scope.resourceKey()), scope, after));
  }

  QueuedWatch watch(ListScope scope, long after) {
    return alone(() -> {
      if (scope.resourceKey().isEveryIdentity()) {
        return watchSeveral(scope, after);
      }
      EventBuffer buffer = buffer(scope.resourceKey());
      List<StoreEvent> missed = eventsAfter(buffer, scope, after);
      var watch = new QueuedWatch(scope, missed, this);
      buffer.watches.add(watch);
      return watch;
    });
  }

  /** Its reader gets the events of other logical clusters and namespaces, too. */
  private QueuedWatch watchSeveral(ListScope scope, long after) {
    List<StoreEvent> missed =
        buffers.entrySet().stream()
            .filter(entry -> scope.resourceKey().covers(entry.getKey()))
            .flatMap(entry -> eventsAfter(entry.getValue(), scope, after).stream())
            .sorted(Comparator.comparingLong(StoreEvent::version))
            .toList();
    var watch = new QueuedWatch(scope, missed, this);
    watchesOfSeveral.add(watch);
    return watch;
  }

  void forget(QueuedWatch watch) {
    ResourceKey resourceKey = watch.scope().resourceKey();
    alone(() -> {
      if (resourceKey.isEveryIdentity()) {
        watchesOfSeveral.remove(watch);
      } else {
        buffer(resourceKey).watches.remove(watch);
      }
      return watch;
    });
  }

  void closeWatches(ListScope scope) {
    alone(() -> {
      EventBuffer buffer = buffers.get(scope.resourceKey());
      if (buffer != null) {
        buffer.watches.closeWithin(scope);
      }
      return scope;
    });
  }

  private EventBuffer buffer(ResourceKey resourceKey) {
    // Nothing was written to it since the store began, so all of its history since then is held.
    return buffers.computeIfAbsent(resourceKey, _ -> new EventBuffer(complete));
  }

  private List<StoreEvent> eventsAfter(EventBuffer buffer, ListScope scope, long after) {
    if (after < buffer.complete) {
      throw new VersionExpired(after, buffer.complete);
    }
    var found = new ArrayList<StoreEvent>();
    // From the newest backwards: a watch mostly starts close to now.
    Iterator<StoreEvent> newestFirst = buffer.events.descendingIterator();
    while (newestFirst.hasNext()) {
      StoreEvent event = newestFirst.next();
      if (event.version() <= after) {
        break;
      }
      if (scope.covers(event.object().key().objectKey())) {
        found.add(event);
      }
    }
    return found.reversed();
  }
}
