package dev.mooring.benchmarks.sync;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured, by name, in the order in which it was. Not thread-safe. */
final class Figures {
  private final LinkedHashMap<String, Double> values = new LinkedHashMap<>();

  void put(String name, double value) {
    values.put(name, value);
    System.out.printf(java.util.Locale.ROOT, "  %-44s %12.2f%n", name, value);
  }

  OptionalDouble get(String name) {
    Double value = values.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  Map<String, Double> all() {
    return Collections.unmodifiableMap(values);
  }

  /** The name of a phase's duration in seconds. */
  static String seconds(Phase phase, int objects) {
    return phase.text() + ", " + objects + " objects [s]";
  }

  /** The name of a phase's duration until the consumers' events are complete, too, in seconds. */
  static String secondsWithEvents(Phase phase, int objects) {
    return phase.text() + ", " + objects + " objects, with events [s]";
  }

  static String requests(Phase phase, int objects) {
    return phase.text() + ", " + objects + " objects [requests/object]";
  }
}
