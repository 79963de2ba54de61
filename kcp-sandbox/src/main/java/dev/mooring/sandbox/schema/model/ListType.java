package dev.mooring.sandbox.schema.model;

/** How the items of a list are told apart: {@code x-kubernetes-list-type}. */
public enum ListType {
  /** The list is one value; items are known by their position only. */
  ATOMIC,
  /** Every item at most once. */
  SET,
  /** Items are objects, told apart by the fields in {@link Structural#listMapKeys}. */
  MAP
}
