package dev.mooring.benchmarks.sync;

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

/** Figures beside a competitor's, and how they stand to what is asked for. */
final class Report {
  static final String IDLE = "idle [requests]";
  static final String EDIT = "an edit noticed while idle [ms]";
  static final String RESIDENT = "resident memory [MiB]";
  static final String READY = "ready after a restart [s]";
  static final String REWRITTEN = "objects rewritten by a restart";

  /** How much faster than a competitor is asked for. */
  private static final double FASTER = 10;

  /** How much slower than the bare writes is allowed. */
  private static final double OVER_FLOOR = 2;

  private final Figures ours;
  private final Optional<Figures> theirs;
  private final List<Target> targets = new ArrayList<>();

  /** A figure that must not be exceeded. */
  record Target(String figure, double limit, String why) {}

  Report(Figures ours, Optional<Figures> theirs, List<Integer> sizes) {
    this.ours = ours;
    this.theirs = theirs;
    for (int size : sizes) {
      ofRequests(Phase.DOWN, size, 6);
      ofRequests(Phase.STATUS, size, 2);
      ofRequests(Phase.DELETION, size, 4);
      for (Phase phase : Phase.values()) {
        ofTime(phase, size);
      }
    }
    target(IDLE, 0, "watches and the Lease alone");
    target("latency at 1/s, p50 [ms]", 50, "asked for");
    target("latency at 10/s, p99 [ms]", 300, "asked for");
    target(EDIT, 1_000, "asked for");
    target(RESIDENT, 400, "asked for");
    target(READY, 20, "asked for");
    target(REWRITTEN, 0, "a restart writes nothing");
  }

  void print() {
    System.out.printf("%n%-50s %12s %12s %8s%n", "figure", "mooring", "competitor", "ratio");
    for (var figure : ours.all().entrySet()) {
      OptionalDouble other = theirs(figure.getKey());
      System.out.printf(
          Locale.ROOT,
          "%-50s %12.2f %12s %8s%n",
          figure.getKey(),
          figure.getValue(),
          other.isPresent() ? "%.2f".formatted(other.getAsDouble()) : "",
          other.isPresent() && figure.getValue() > 0
              ? "%.1f".formatted(other.getAsDouble() / figure.getValue())
              : "");
    }
    System.out.printf("%n%-50s %12s %12s%n", "target", "measured", "at most");
    for (Target target : targets) {
      double measured = ours.get(target.figure()).orElseThrow();
      System.out.printf(
          Locale.ROOT,
          "%-50s %12.2f %12.2f  %s (%s)%n",
          target.figure(),
          measured,
          target.limit(),
          met(target) ? "met" : "MISSED",
          target.why());
    }
  }

  /** How many targets were missed. */
  long missed() {
    return targets.stream().filter(target -> !met(target)).count();
  }

  void write(Path file) {
    var document = new LinkedHashMap<String, Object>();
    document.put("mooring", ours.all());
    theirs.ifPresent(figures -> document.put("competitor", figures.all()));
    document.put(
        "targets",
        targets.stream()
            .map(target -> {
              var entry = new LinkedHashMap<String, Object>();
              entry.put("figure", target.figure());
              entry.put("atMost", target.limit());
              entry.put("why", target.why());
              entry.put("met", met(target));
              return entry;
            })
            .toList());
    try {
      Files.write(file, KubeJson.write(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean met(Target target) {
    return ours.get(target.figure()).orElseThrow() <= target.limit();
  }

  private void ofRequests(Phase phase, int size, double limit) {
    // A Namespace is made once in each workspace, whatever the number of objects.
    target(Figures.requests(phase, size), limit, "events included");
  }

  private void ofTime(Phase phase, int size) {
    String figure = Figures.seconds(phase, size);
    ours.get("floor, " + figure)
        .ifPresent(floor -> target(figure, floor * OVER_FLOOR, "twice the bare writes"));
    theirs(figure).ifPresent(other -> target(figure, other / FASTER, "a tenth of the competitor"));
  }

  private void target(String figure, double limit, String why) {
    if (ours.get(figure).isPresent()) {
      targets.add(new Target(figure, limit, why));
    }
  }

  private OptionalDouble theirs(String figure) {
    return theirs.map(figures -> figures.get(figure)).orElseGet(OptionalDouble::empty);
  }
}
