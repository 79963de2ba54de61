package dev.mooring.benchmarks.sync;

import java.util.List;

/** A stretch of an object's life that is measured by itself. */
enum Phase {
  /** Consumers create the objects; over when all copies are there. */
  DOWN("down"),

  /** The provider's operator sets the copies' status; over when all sources have it. */
  STATUS("status up"),

  /** Consumers delete the objects; over when all sources are gone. */
  DELETION("deletion");

  private final String text;

  Phase(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }

  /** Reasons of the events that each object's consumer has to find after each phase. */
  record Expectations(List<String> down, List<String> status, List<String> deletion) {
    List<String> of(Phase phase) {
      return switch (phase) {
        case DOWN -> down;
        case STATUS -> status;
        case DELETION -> deletion;
      };
    }
  }
}
