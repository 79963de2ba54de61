package dev.mooring.sandbox.schema.model;

/** How the items of a list are identified: {@code x-kubernetes-list-type}. */
public enum ListType {
  /** The list is one value; items are known by their position only. */
  ATOMIC,
  /** Every item at most once. */
  SET,
  /** Items are objects, identified by the fields in {@link Structural#listMapKeys}. */
  MAP
}
