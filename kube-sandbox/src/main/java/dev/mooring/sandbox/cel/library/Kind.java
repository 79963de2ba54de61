package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;

/**
 * The type of an argument.
 *
 * @param type as the type checker knows it
 * @param carrier the class of its values
 */
record Kind<T>(CelType type, Class<T> carrier) {
  static final Kind<String> STRING = new Kind<>(SimpleType.STRING, String.class);
  static final Kind<Long> INT = new Kind<>(SimpleType.INT, Long.class);
  static final Kind<Boolean> BOOL = new Kind<>(SimpleType.BOOL, Boolean.class);

  /** A type with functions and without fields. */
  static <T> Kind<T> opaque(String name, Class<T> carrier) {
    return new Kind<>(OpaqueType.create(name), carrier);
  }
}
