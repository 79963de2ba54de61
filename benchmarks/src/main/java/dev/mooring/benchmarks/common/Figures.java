package dev.mooring.benchmarks.common;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured, by name, in the order in which it was. Not thread-safe. */
public final class Figures {
  private final LinkedHashMap<String, Double> values = new LinkedHashMap<>();

  /** Keeps a figure and prints it at once; the name ends in its unit, such as {@code [ms]}. */
  public void put(String name, double value) {
    values.put(name, value);
    System.out.printf(Locale.ROOT, "  %-60s %12.2f%n", name, value);
  }

  public OptionalDouble get(String name) {
    Double value = values.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  public Map<String, Double> all() {
    return Collections.unmodifiableMap(values);
  }
}
