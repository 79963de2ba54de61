package dev.mooring.languages;

/** One step of a path into a document. */
public sealed interface FieldStep {
  /** The field of a map. */
  record Field(String name) implements FieldStep {}

  /** Every item of a list. */
  record Each() implements FieldStep {}

  /** An item of a list, or a key or value of a map: what a loop goes through. */
  record Entry() implements FieldStep {}
}
