package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.Quantiles;
import java.util.ArrayList;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Workspaces one after the other, trees of two, and bindings in some of them. */
record WorkspacePhase(Bench bench, int count) {
  /**
   * The first ones compile, load classes, and fill the young generation that a collection emptied.
   */
  private static final int WARM_UP = 10;

  /** Trees and bindings. */
  private static final int SOME = 20;

  void measure() {
    OptionalDouble heap = bench.liveHeapKib();
    IntStream.range(0, WARM_UP).forEach(i -> bench.create("warm-" + i));
    double resident = bench.settledMib();
    var made = new ArrayList<String>();
    var ready = Quantiles.of(count, i -> () -> made.add(bench.create("w" + i)));
    bench.put("workspace ready, p50 [ms]", ready.median(), Limit.atMost(50));
    if (bench.process().isPresent()) {
      bench.put(
          "resident per workspace [MiB]",
          (bench.settledMib() - resident) / count,
          Limit.atMost(0.5));
    }
    OptionalDouble after = bench.liveHeapKib();
    if (heap.isPresent() && after.isPresent()) {
      bench.put(
          "live heap per workspace [KiB]",
          (after.getAsDouble() - heap.getAsDouble()) / (count + WARM_UP));
    }
    // A workspace with one below it, as a test asks for.
    var trees =
        Quantiles.of(
            Math.min(count, SOME), i -> () -> bench.create(bench.create("tree-" + i), "below"));
    bench.put("tree of two workspaces ready, p50 [ms]", trees.median(), Limit.atMost(50));
    var bound = new Quantiles(made.stream().limit(SOME).mapToDouble(bench::bind).skip(1));
    bench.put("API bound and served, p50 [ms]", bound.median(), Limit.atMost(100));
  }
}
