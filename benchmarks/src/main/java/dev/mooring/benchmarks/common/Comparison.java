package dev.mooring.benchmarks.common;

import dev.mooring.model.json.KubeJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Figures next to a competitor's, and whether they reach the limits. Not thread-safe. */
public final class Comparison {
  private final Figures ours;
  private final Optional<Figures> theirs;
  private final List<Target> targets = new ArrayList<>();

  /**
   * A figure that must not be exceeded.
   *
   * @param why where the limit comes from, in a few words
   */
  private record Target(String figure, double limit, String why) {}

  public Comparison(Figures ours, Optional<Figures> theirs) {
    this.ours = ours;
    this.theirs = theirs;
  }

  /** Asks that a figure be no more than the limit; not where the figure was not measured. */
  public void atMost(String figure, double limit, String why) {
    if (ours.get(figure).isPresent()) {
      targets.add(new Target(figure, limit, why));
    }
  }

  /** The competitor's figure; empty without a competitor, or if it was not measured there. */
  public OptionalDouble theirs(String figure) {
    return theirs.map(figures -> figures.get(figure)).orElseGet(OptionalDouble::empty);
  }

  public OptionalDouble ours(String figure) {
    return ours.get(figure);
  }

  /** Prints all figures, then all targets with {@code met} or {@code MISSED}. */
  public void print() {
    System.out.printf("%n%-60s %12s %12s %8s%n", "figure", "mooring", "competitor", "ratio");
    for (var figure : ours.all().entrySet()) {
      OptionalDouble other = theirs(figure.getKey());
      System.out.printf(
          Locale.ROOT,
          "%-60s %12.2f %12s %8s%n",
          figure.getKey(),
          figure.getValue(),
          other.isPresent() ? "%.2f".formatted(other.getAsDouble()) : "",
          other.isPresent() && figure.getValue() > 0
              ? "%.1f".formatted(other.getAsDouble() / figure.getValue())
              : "");
    }
    System.out.printf("%n%-60s %12s %12s%n", "target", "measured", "at most");
    for (Target target : targets) {
      System.out.printf(
          Locale.ROOT,
          "%-60s %12.2f %12.2f  %s (%s)%n",
          target.figure(),
          measured(target),
          target.limit(),
          met(target) ? "met" : "MISSED",
          target.why());
    }
  }

  /** How many targets were missed. */
  public long missed() {
    return targets.stream().filter(target -> !met(target)).count();
  }

  /** Writes everything as one JSON document: figures by name, targets as a list. */
  public void write(Path file) {
    var document = new LinkedHashMap<String, Object>();
    document.put("mooring", ours.all());
    theirs.ifPresent(figures -> document.put("competitor", figures.all()));
    document.put("targets", targets.stream().map(this::entry).toList());
    try {
      Files.write(file, KubeJson.write(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LinkedHashMap<String, Object> entry(Target target) {
    var entry = new LinkedHashMap<String, Object>();
    entry.put("figure", target.figure());
    entry.put("atMost", target.limit());
    entry.put("why", target.why());
    entry.put("met", met(target));
    return entry;
  }

  private boolean met(Target target) {
    return measured(target) <= target.limit();
  }

  private double measured(Target target) {
    return ours.get(target.figure()).orElseThrow();
  }
}
