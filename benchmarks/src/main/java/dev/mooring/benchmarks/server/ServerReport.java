package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Comparison;
import dev.mooring.benchmarks.common.Figures;
import java.util.Optional;

/** The names of what is measured, and what is asked of the sandbox. */
final class ServerReport {
  static final String START = "start until /readyz [ms]";
  static final String LIBRARY = "start in a warm JVM [ms]";
  static final String RESIDENT = "resident after the start [MiB]";
  static final String WORKSPACE = "workspace ready, p50 [ms]";
  static final String WORKSPACE_SLOWEST = "workspace ready, slowest [ms]";
  static final String PER_WORKSPACE = "resident per workspace [MiB]";
  static final String HEAP_PER_WORKSPACE = "live heap per workspace [KiB]";
  static final String TREE = "tree of two workspaces ready, p50 [ms]";
  static final String BOUND = "API bound and served, p50 [ms]";
  static final String CREATE_ONE = "create, one writer [ms]";
  static final String CREATE = "create, eight writers [ms]";
  static final String UPDATE = "update, eight writers [ms]";
  static final String JSON = "JSON of one object [KiB]";
  static final String HEAP_PER_OBJECT = "live heap per object with its history [KiB]";
  static final String HEAP_PER_JSON = "live heap per object with its history [JSONs]";
  static final String PER_OBJECT = "resident per object with its history [KiB]";
  static final String RESIDENT_OBJECTS = "resident with all objects [MiB]";
  static final String LIST = "list of all objects [ms]";
  static final String LIST_PAGES = "list in pages of 500 [ms]";
  static final String LIST_SELECTED = "list of one in 100 by label [ms]";
  static final String DELETED = "deletecollection of all objects [s]";

  private static final double FASTER = 3;
  private static final String ASKED = "asked for";

  private ServerReport() {}

  static String seen(int watchers, String share) {
    return "event seen by %d watchers, %s [ms]".formatted(watchers, share);
  }

  static String binding(int number) {
    return "binding number %d, served [ms]".formatted(number);
  }

  static String viewCreate(int bindings) {
    return "create through the view of %d bindings [ms]".formatted(bindings);
  }

  static String viewList(int bindings) {
    return "list through the view of %d bindings [ms]".formatted(bindings);
  }

  static Comparison of(Figures ours, Optional<Figures> theirs, ServerBenchmark.Sizes sizes) {
    var comparison = new Comparison(ours, theirs);
    comparison.atMost(START, 2_500, ASKED);
    comparison.atMost(LIBRARY, 150, ASKED);
    comparison.atMost(RESIDENT, 150, ASKED);
    comparison.atMost(PER_WORKSPACE, 0.5, ASKED);
    comparison.atMost(WORKSPACE, 50, ASKED);
    comparison.atMost(TREE, 50, ASKED);
    comparison.atMost(BOUND, 100, ASKED);
    comparison.atMost(HEAP_PER_JSON, 3, ASKED);
    comparison.atMost(DELETED, 2, ASKED);
    comparison.atMost(seen(sizes.watchers(), "p99"), 100, ASKED);
    for (String figure : new String[] {LIST, LIST_PAGES, LIST_SELECTED}) {
      theirs(comparison, figure, 1, "no slower");
    }
    for (String figure : new String[] {CREATE_ONE, CREATE}) {
      theirs(comparison, figure, FASTER, "three times as fast");
    }
    return comparison;
  }

  private static void theirs(Comparison comparison, String figure, double faster, String why) {
    comparison.theirs(figure).ifPresent(other -> comparison.atMost(figure, other / faster, why));
  }
}
