package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.schema.ObjectSchema;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The versions in which an export serves one type, with their fields, as far as they are known. */
public sealed interface VersionReading {
  /**
   * Exactly these versions.
   *
   * @param schemas by version; empty if the schema that the export names is not there, or serves
   *     none
   */
  record Served(SortedMap<String, ObjectSchema> schemas) implements VersionReading {
    public Served {
      schemas = Collections.unmodifiableSortedMap(new TreeMap<>(schemas));
    }
  }

  /**
   * The schema cannot be read.
   *
   * @param why what could not be read, and what to do
   */
  record Unreadable(String why) implements VersionReading {}
}
