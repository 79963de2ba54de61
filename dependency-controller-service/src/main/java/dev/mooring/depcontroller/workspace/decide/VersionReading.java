package dev.mooring.depcontroller.workspace.decide;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The versions in which an export serves one type, as far as they are known. */
public sealed interface VersionReading {
  /**
   * Exactly these versions.
   *
   * @param versions empty if the schema that the export names is not there, or serves none
   */
  record Served(SortedSet<String> versions) implements VersionReading {
    public Served {
      versions = Collections.unmodifiableSortedSet(new TreeSet<>(versions));
    }
  }

  /**
   * The schema cannot be read.
   *
   * @param why what could not be read, and what to do
   */
  record Unreadable(String why) implements VersionReading {}
}
