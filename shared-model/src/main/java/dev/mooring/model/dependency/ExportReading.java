package dev.mooring.model.dependency;

import java.util.Objects;

/** What is known about an APIExport that a rule names. */
public sealed interface ExportReading {
  /** It is there. */
  record Found(ExportFacts facts) implements ExportReading {
    public Found {
      Objects.requireNonNull(facts, "facts");
    }
  }

  /** Its workspace was asked, and has no such export. */
  record Absent() implements ExportReading {}

  /**
   * Its workspace did not say.
   *
   * @param why and what to do
   */
  record Unreadable(String why) implements ExportReading {
    public Unreadable {
      Objects.requireNonNull(why, "why");
    }
  }
}
