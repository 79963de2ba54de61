package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import java.util.List;
import java.util.Optional;

/** What is asked of the dependency webhook, and the names of what is measured. */
final class ProtectionReport {
  /** Strict lookups may cost so many times the bare list of the same dependents. */
  private static final double OVER_LIST = 1.3;

  /** MiB that the process may grow by from the fewest to the most dependents. */
  private static final double GROWTH = 32;

  private ProtectionReport() {}

  /**
   * @param machines of the consumers, ascending
   * @param selectsByField whether kcp selects dependents by what they refer to
   */
  static Comparison of(
      Figures ours,
      Optional<Figures> theirs,
      List<Integer> machines,
      int reviewsPerSecond,
      boolean selectsByField) {
    var comparison = new Comparison(ours, theirs);
    int few = machines.getFirst();
    int many = machines.getLast();
    for (Outcome outcome : List.of(Outcome.REFUSED, Outcome.ALLOWED)) {
      strict(comparison, outcome, few, many, selectsByField);
      overFloor(comparison, Mode.INDEXED, outcome, many, 0.5, 10);
      overFloor(comparison, Mode.INDEXED, outcome, many, 0.99, 25);
      overFloor(comparison, Mode.RACE_FREE, outcome, many, 0.5, 20);
    }
    comparison.atMost(together(Mode.INDEXED, many), 300, "asked for");
    for (Mode mode : Mode.values()) {
      comparison.atMost(resident(mode, many), 256, "asked for");
      comparison
          .ours(resident(mode, few))
          .ifPresent(least ->
              comparison.atMost(resident(mode, many), least + GROWTH, "as with few dependents"));
    }
    comparison.atMost(
        reviewPace(reviewsPerSecond, ReviewPhase.SUSTAINED),
        1_000.0 / reviewsPerSecond * 1.02,
        "sustained");
    return comparison;
  }

  /** What becomes of a deletion. */
  enum Outcome {
    REFUSED("refused"),
    REFUSED_AFTER_PAUSE("refused after a pause"),
    ALLOWED("allowed");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }
  }

  /** The name of a quantile of one deletion's duration in milliseconds. */
  static String deletion(Mode mode, Outcome outcome, int machines, double quantile) {
    return mode.text() + ", " + machines + " dependents, " + outcome.text + ", p" + share(quantile);
  }

  static String floor(double quantile) {
    return "unprotected deletion, p" + share(quantile);
  }

  static String list(int machines, double quantile) {
    return "bare list, " + machines + " dependents, p" + share(quantile);
  }

  static String wholeList(int machines, double quantile) {
    return "bare list in one, " + machines + " dependents, p" + share(quantile);
  }

  static String together(Mode mode, int machines) {
    return mode.text() + ", " + machines + " dependents, deletions at once, p50 [ms]";
  }

  static String resident(Mode mode, int machines) {
    return mode.text() + ", " + machines + " dependents, resident [MiB]";
  }

  /** When reviews are sent at the rate that is asked for. */
  enum ReviewPhase {
    BEGUN("just started"),
    SUSTAINED("sustained");

    private final String text;

    ReviewPhase(String text) {
      this.text = text;
    }
  }

  static String reviews(int perSecond, ReviewPhase phase) {
    return perSecond + " reviews/s, " + phase.text;
  }

  static String reviews(int perSecond, ReviewPhase phase, double quantile) {
    return reviews(perSecond, phase) + ", p" + share(quantile);
  }

  /** The name of the mean time from one answer to the next, in milliseconds. */
  static String reviewPace(int perSecond, ReviewPhase phase) {
    return reviews(perSecond, phase) + ", from answer to answer [ms]";
  }

  private static void strict(
      Comparison comparison, Outcome outcome, int few, int many, boolean selectsByField) {
    String middle = deletion(Mode.STRICT, outcome, many, 0.5);
    String slow = deletion(Mode.STRICT, outcome, many, 0.95);
    if (selectsByField) {
      comparison
          .ours(deletion(Mode.STRICT, outcome, few, 0.5))
          .ifPresent(least -> comparison.atMost(middle, least * 1.3, "1.3 times that of few"));
    } else {
      comparison
          .ours(list(many, 0.5))
          .ifPresent(list -> comparison.atMost(middle, list * OVER_LIST, "1.3 times the list"));
    }
    comparison
        .theirs(middle)
        .ifPresent(other -> comparison.atMost(middle, other, "the competitor's"));
    comparison
        .theirs(slow)
        .ifPresent(other -> comparison.atMost(slow, other / 2, "half the competitor's"));
  }

  private static void overFloor(
      Comparison comparison,
      Mode mode,
      Outcome outcome,
      int machines,
      double quantile,
      double millis) {
    comparison
        .ours(floor(quantile))
        .ifPresent(floor ->
            comparison.atMost(
                deletion(mode, outcome, machines, quantile),
                floor + millis,
                "%.0f over unprotected".formatted(millis)));
  }

  private static String share(double quantile) {
    return Math.round(quantile * 100) + " [ms]";
  }
}
