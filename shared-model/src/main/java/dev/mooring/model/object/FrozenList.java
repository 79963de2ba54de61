package dev.mooring.model.object;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;

/** An unmodifiable list; its items may be null. */
final class FrozenList extends AbstractList<Object> implements RandomAccess, Frozen {
  private final Object[] items;
  private final short levels;

  /**
   * @param items that nothing else holds on to
   */
  FrozenList(Object[] items) {
    this.items = items;
    this.levels = Frozen.above(Arrays.asList(items));
  }

  @Override
  public short levels() {
    return levels;
  }

  @Override
  public int size() {
    return items.length;
  }

  @Override
  public Object get(int index) {
    return items[index];
  }

  @Override
  public Object[] toArray() {
    return items.clone();
  }
}
