package dev.mooring.model.object;

import java.math.BigDecimal;
import java.util.Collection;

/** A map or list of a tree that no one can change, at any depth, so that trees may share it. */
sealed interface Frozen permits SmallMap, LargeMap, FrozenList {
  /** Of one with something in it that a tree has to copy, such as a map that may be changed. */
  short CHANGEABLE = -1;

  /** How many maps and lists are within each other, this one included; or {@link #CHANGEABLE}. */
  short levels();

  /** Whether it can be part of a tree as it is, in so many maps and lists. */
  default boolean fitsAt(int depth) {
    return levels() != CHANGEABLE && depth + levels() <= Trees.DEPTH_MAX;
  }

  /** The levels of what has these values. */
  static short above(Collection<?> values) {
    int levels = 0;
    for (Object value : values) {
      switch (value) {
        case null -> {}
        case String _, Boolean _, Long _, Double _, BigDecimal _ -> {}
        case Frozen frozen when frozen.levels() != CHANGEABLE ->
            levels = Math.max(levels, frozen.levels());
        default -> {
          return CHANGEABLE;
        }
      }
    }
    // Deeper ones are refused wherever trees are made, and copied where they are not.
    return levels >= Trees.DEPTH_MAX ? CHANGEABLE : (short) (levels + 1);
  }
}
