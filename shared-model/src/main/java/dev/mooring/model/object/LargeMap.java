package dev.mooring.model.object;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An unmodifiable map of many entries in a fixed order. */
final class LargeMap extends AbstractMap<String, Object> implements Frozen {
  private final Map<String, Object> entries;
  private final short levels;

  /**
   * @param entries that nothing else holds on to
   */
  LargeMap(LinkedHashMap<String, Object> entries) {
    this.entries = Collections.unmodifiableMap(entries);
    this.levels = Frozen.above(entries.values());
  }

  @Override
  public short levels() {
    return levels;
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public @Nullable Object get(Object key) {
    return entries.get(key);
  }

  @Override
  public boolean containsKey(Object key) {
    return entries.containsKey(key);
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super Object> action) {
    entries.forEach(action);
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return entries.entrySet();
  }
}
