package dev.mooring.cli.why.decide;

import java.util.Optional;

/** What a server said, or why it was not asked or did not say. A failed read is no absence. */
public sealed interface Fact<T> {
  record Known<T>(T known) implements Fact<T> {}

  /**
   * Not read.
   *
   * @param why and what to do, in words
   */
  record Unread<T>(String why) implements Fact<T> {}

  default Optional<T> value() {
    return this instanceof Known<T>(var known) ? Optional.of(known) : Optional.empty();
  }
}
