package dev.mooring.runtime.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Has work be done once for all who want the same of it at the same time. Whoever joins is served
 * by work that began after that: those who join while some is under way are the next batch,
 * together. Thread-safe; who is being served or waits is all it holds.
 *
 * @param <K> says what is the same
 * @param <M> who is served
 */
final class Batches<K, M> {
  /** Of all keys with work under way: who came since that began. */
  private final Map<K, List<M>> waiting = new HashMap<>();

  /**
   * @param work serves a batch, failures included, and throws nothing; on a thread of its own: no
   *     member's interruption is another's failure
   */
  void join(K key, M member, Consumer<List<M>> work) {
    synchronized (waiting) {
      List<M> next = waiting.get(key);
      if (next != null) {
        next.add(member);
        return;
      }
      waiting.put(key, new ArrayList<>());
    }
    begin(key, List.of(member), work);
  }

  private void begin(K key, List<M> batch, Consumer<List<M>> work) {
    Thread.ofVirtual()
        .name("joined-read")
        .start(() -> {
          try {
            work.accept(batch);
          } finally {
            List<M> next = next(key);
            if (!next.isEmpty()) {
              begin(key, next, work);
            }
          }
        });
  }

  private List<M> next(K key) {
    synchronized (waiting) {
      List<M> next = waiting.remove(key);
      if (!next.isEmpty()) {
        waiting.put(key, new ArrayList<>());
      }
      return next;
    }
  }
}
