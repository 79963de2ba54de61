package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import java.util.List;
import java.util.Optional;

/** What is asked of the sync agent, and the names of what is measured. */
final class Report {
  static final String IDLE = "idle [requests]";
  static final String EDIT = "an edit noticed while idle [ms]";
  static final String RESIDENT = "resident memory [MiB]";
  static final String READY = "ready after a restart [s]";
  static final String REWRITTEN = "objects rewritten by a restart";

  /** How much faster than a competitor is asked for. */
  private static final double FASTER = 10;

  /** Requests of a phase that are no object's. */
  private static final double COUNTS_WRITTEN = 3;

  /** How much slower than the bare writes is allowed. */
  private static final double OVER_FLOOR = 2;

  private Report() {}

  static Comparison of(Figures ours, Optional<Figures> theirs, List<Integer> sizes) {
    var comparison = new Comparison(ours, theirs);
    for (int size : sizes) {
      // The PublishedResource's counts are written now and then, for any number of objects.
      double counts = COUNTS_WRITTEN / size;
      comparison.atMost(requests(Phase.DOWN, size), 6 + counts, "events included");
      comparison.atMost(requests(Phase.STATUS, size), 2 + counts, "events included");
      comparison.atMost(requests(Phase.DELETION, size), 4 + counts, "events included");
      for (Phase phase : Phase.values()) {
        ofTime(comparison, seconds(phase, size));
      }
    }
    comparison.atMost(IDLE, 0, "watches and the Lease alone");
    comparison.atMost("latency at 1/s, p50 [ms]", 50, "asked for");
    comparison.atMost("latency at 10/s, p99 [ms]", 300, "asked for");
    comparison.atMost(EDIT, 1_000, "asked for");
    comparison.atMost(RESIDENT, 400, "asked for");
    comparison.atMost(READY, 20, "asked for");
    comparison.atMost(REWRITTEN, 0, "a restart writes nothing");
    return comparison;
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

  private static void ofTime(Comparison comparison, String figure) {
    comparison
        .ours("floor, " + figure)
        .ifPresent(floor -> comparison.atMost(figure, floor * OVER_FLOOR, "twice the bare writes"));
    comparison
        .theirs(figure)
        .ifPresent(other -> comparison.atMost(figure, other / FASTER, "a tenth of the competitor"));
  }
}
