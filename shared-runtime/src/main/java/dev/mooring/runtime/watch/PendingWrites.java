package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One's own writes that the watch has not shown yet, by key. Readers of a cache ask here whether
 * more is known, so that what was just written is never missed, and what was just removed is never
 * taken for there. Bounded by the writes under way: an entry goes with the watch's word, or when a
 * newer one is read. Thread-safe.
 */
public final class PendingWrites<K> {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** A name each; past that, the watch is to be believed again. */
  static final int REMOVED_MAX = 10_000;

  private final ConcurrentHashMap<K, Write> writes = new ConcurrentHashMap<>();

  /** Uids of objects that the server has removed and that a watch may show for a while yet. */
  private final ConcurrentHashMap<K, String> removed = new ConcurrentHashMap<>();

  /** A request is about to be sent; {@link #wrote} or {@link #forget} has to follow. */
  public void begin(K key) {
    writes.compute(key, (_, before) -> of(before).begun());
  }

  /** The server's answer. */
  public void wrote(K key, KubeObject written) {
    writes.compute(key, (_, before) -> kept(of(before).answered(written)));
  }

  /** The result of the write is unknown, or is no longer stored: the watch decides. */
  public void forget(K key) {
    writes.remove(key);
  }

  /** The server said that this very object is no more. */
  public void removed(K key, String uid) {
    if (removed.size() >= REMOVED_MAX) {
      removed.clear();
    }
    removed.put(key, uid);
    writes.remove(key);
  }

  /** Whether this, which the watch still shows, is known to be no more. */
  boolean isRemoved(K key, KubeObject cached) {
    return cached.uid().equals(removed.get(key));
  }

  /** What the watch says of the key's object. */
  public void changed(K key, Change change) {
    if (change instanceof Change.Removed(var _, var last)) {
      removed.remove(key, last.uid());
    }
    writes.computeIfPresent(
        key,
        (_, before) ->
            kept(
                switch (change) {
                  case Change.Added(var _, var object) -> before.shown(object);
                  case Change.Updated(var _, var _, var after) -> before.shown(after);
                  case Change.Removed(var _, var last) -> before.ended(last);
                }));
  }

  /** What the watch has not shown yet. */
  public Optional<KubeObject> find(K key) {
    return of(writes.get(key)).object();
  }

  /**
   * As it was written, or as the cache has it, whichever is newer.
   *
   * @param cache reads it; empty if it is not there
   * @return empty if neither has it, or it was removed since
   */
  public Optional<KubeObject> newest(K key, Supplier<Optional<KubeObject>> cache) {
    // Before the cache: what the watch shows meanwhile leaves the writes, and is in the cache then.
    Optional<KubeObject> own = find(key);
    Optional<KubeObject> cached = cache.get();
    cached.ifPresent(seen -> writes.computeIfPresent(key, (_, before) -> kept(before.shown(seen))));
    return own.filter(written -> cached.filter(seen -> !isOlder(seen, written)).isEmpty())
        .or(() -> cached)
        .filter(newest -> !isRemoved(key, newest));
  }

  /**
   * Those that the cache has, and all that were written, each as it is newest.
   *
   * @param cache reads some of them
   * @param keys of objects
   */
  public List<KubeObject> newest(
      Supplier<? extends Collection<KubeObject>> cache, Function<KubeObject, K> keys) {
    // Before the cache, as above.
    var own = new HashMap<K, KubeObject>();
    writes.forEach((key, write) -> write.object().ifPresent(written -> own.put(key, written)));
    var newest = new ArrayList<>(own.values());
    for (KubeObject seen : cache.get()) {
      K key = keys.apply(seen);
      if (!own.containsKey(key) && !isRemoved(key, seen)) {
        newest.add(seen);
      }
    }
    return newest;
  }

  private static Write of(@Nullable Write known) {
    return known == null ? Write.NONE : known;
  }

  private static @Nullable Write kept(Write write) {
    return write.equals(Write.NONE) ? null : write;
  }

  /**
   * Whether {@code seen} shows less than {@code known}; true if they cannot be compared. Versions
   * of one type on one server are numbers that grow (Kubernetes 1.35 promises it, etcd always did
   * it); of others only equal ones can be compared.
   */
  private static boolean isOlder(KubeObject seen, KubeObject known) {
    String first = seen.resourceVersion();
    String second = known.resourceVersion();
    if (NUMBER.matcher(first).matches() && NUMBER.matcher(second).matches()) {
      return Long.parseLong(first) < Long.parseLong(second);
    }
    return !first.equals(second);
  }

  /**
   * What one's own write made of one object.
   *
   * @param object as the server answered the last write; empty once the watch has shown that or
   *     more
   * @param underWay whether there is a request, and the watch may be faster than its answer
   * @param shown the newest that the watch has shown since that request
   */
  private record Write(Optional<KubeObject> object, boolean underWay, Optional<KubeObject> shown) {
    static final Write NONE = new Write(Optional.empty(), false, Optional.empty());

    Write begun() {
      return new Write(object, true, Optional.empty());
    }

    /** Of no use any more if the watch was faster. */
    Write answered(KubeObject written) {
      return shown.filter(seen -> !isOlder(seen, written)).isPresent()
          ? NONE
          : new Write(Optional.of(written), false, Optional.empty());
    }

    Write shown(KubeObject seen) {
      return new Write(
          object.filter(own -> isOlder(seen, own)),
          underWay,
          Optional.of(seen)
              .filter(_ -> underWay)
              .map(now -> shown.filter(known -> !isOlder(known, now)).orElse(now)));
    }

    /**
     * The object as it was last seen may be older than the write; its end is the end of what was
     * written all the same.
     */
    Write ended(KubeObject last) {
      Write after = shown(last);
      return new Write(
          after.object.filter(own -> !own.uid().equals(last.uid())), underWay, after.shown);
    }
  }
}
