package dev.mooring.benchmarks.common;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured, by name, in the order in which it was, with its limits. Not thread-safe. */
public final class Figures {
  private final LinkedHashMap<String, Double> values = new LinkedHashMap<>();
  private final List<Target> targets = new ArrayList<>();

  record Target(String figure, Limit limit) {}

  /** Keeps a figure and prints it at once; the name ends in its unit, such as {@code [ms]}. */
  public void put(String name, double value, Limit... limits) {
    values.put(name, value);
    limit(name, limits);
    System.out.printf(Locale.ROOT, "  %-60s %12.2f%n", name, value);
  }

  /** Sets limits of a figure that need not have been measured. */
  public void limit(String name, Limit... limits) {
    for (Limit limit : limits) {
      targets.add(new Target(name, limit));
    }
  }

  public OptionalDouble get(String name) {
    Double value = values.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  Map<String, Double> all() {
    return Collections.unmodifiableMap(values);
  }

  List<Target> targets() {
    return targets;
  }
}
