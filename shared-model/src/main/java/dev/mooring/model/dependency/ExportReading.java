package dev.mooring.model.dependency;

/** What is known about an APIExport that a rule names. */
public sealed interface ExportReading {
  /** It is there. */
  record Found(ExportFacts facts) implements ExportReading {}

  /** Its workspace was asked, and has no such export. */
  record Absent() implements ExportReading {}

  /**
   * Its workspace did not say.
   *
   * @param why and what to do
   */
  record Unreadable(String why) implements ExportReading {}
}
