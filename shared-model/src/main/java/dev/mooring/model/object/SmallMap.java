package dev.mooring.model.object;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map of few entries in a fixed order, in one array: a tree has thousands of small
 * maps, and a {@link java.util.LinkedHashMap} takes several times as much memory. Keys are compared
 * one after the other.
 */
final class SmallMap extends AbstractMap<String, Object> implements Frozen {
  /** Where looking through the keys is still about as fast as hashing. */
  static final int ENTRIES_MAX = 12;

  /** Key, value, key, value, and so on. */
  private final Object[] content;

  private final short levels;

  private SmallMap(Object[] content, short levels) {
    this.content = content;
    this.levels = levels;
  }

  /** A copy; its values must be those of a tree already. */
  static SmallMap copyOf(Map<String, Object> map) {
    var content = new Object[2 * map.size()];
    int at = 0;
    for (Entry<String, Object> entry : map.entrySet()) {
      content[at++] = entry.getKey();
      content[at++] = entry.getValue();
    }
    return new SmallMap(content, Frozen.above(map.values()));
  }

  @Override
  public short levels() {
    return levels;
  }

  @Override
  public int size() {
    return content.length / 2;
  }

  @Override
  public @Nullable Object get(Object key) {
    int at = indexOf(key);
    return at < 0 ? null : content[at + 1];
  }

  @Override
  public boolean containsKey(Object key) {
    return indexOf(key) >= 0;
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super Object> action) {
    for (int at = 0; at < content.length; at += 2) {
      action.accept((String) content[at], content[at + 1]);
    }
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return new Entries();
  }

  private int indexOf(Object key) {
    for (int at = 0; at < content.length; at += 2) {
      if (content[at].equals(key)) {
        return at;
      }
    }
    return -1;
  }

  private final class Entries extends AbstractSet<Entry<String, Object>> {
    @Override
    public int size() {
      return SmallMap.this.size();
    }

    @Override
    public Iterator<Entry<String, Object>> iterator() {
      return new Iterator<>() {
        private int at;

        @Override
        public boolean hasNext() {
          return at < content.length;
        }

        @Override
        public Entry<String, Object> next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          var entry = new SimpleImmutableEntry<>((String) content[at], content[at + 1]);
          at += 2;
          return entry;
        }
      };
    }
  }
}
