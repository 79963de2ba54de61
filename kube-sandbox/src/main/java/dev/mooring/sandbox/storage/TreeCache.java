package dev.mooring.sandbox.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stored objects that have a tree besides their text: those that were written or read as trees
 * last, as many as fit into some bytes. Thread-safe.
 */
final class TreeCache {
  /** A tree takes about so many times the memory of its text. */
  private static final int TREE_FACTOR = 4;

  private final long bytesMax;
  private final ReentrantLock lock = new ReentrantLock();

  /** The one that has been in it for longest first. */
  private final ArrayDeque<StoredObject> held = new ArrayDeque<>();

  private long bytes;

  /**
   * @param bytesMax of all trees, about
   */
  TreeCache(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Takes an object that has just got its tree; others may lose theirs. */
  void add(StoredObject object) {
    List<StoredObject> leaving = List.of();
    lock.lock();
    try {
      held.addLast(object);
      bytes += weight(object);
      if (bytes > bytesMax) {
        leaving = evicted();
      }
    } finally {
      lock.unlock();
    }
    // Writing their texts takes a while.
    leaving.forEach(StoredObject::dropTree);
  }

  /** The oldest, but those that were read since they came get a second turn. */
  private List<StoredObject> evicted() {
    var leaving = new ArrayList<StoredObject>();
    while (bytes > bytesMax) {
      StoredObject oldest = held.removeFirst();
      if (oldest.forgetReading()) {
        held.addLast(oldest);
      } else {
        bytes -= weight(oldest);
        leaving.add(oldest);
      }
    }
    return leaving;
  }

  private static long weight(StoredObject object) {
    return (long) TREE_FACTOR * object.footprint();
  }
}
