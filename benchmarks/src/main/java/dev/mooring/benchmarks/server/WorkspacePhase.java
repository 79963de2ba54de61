package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Workspaces one after the other, trees of two, and bindings in some of them. */
record WorkspacePhase(Bench bench, int count) {
  private static final String WORKSPACES = "/apis/tenancy.kcp.io/v1alpha1/workspaces";

  /**
   * The first ones compile, load classes, and fill the young generation that a collection emptied.
   */
  private static final int WARM_UP = 10;

  void measure() {
    OptionalDouble heap = bench.liveHeapBytes();
    for (int i = 0; i < WARM_UP; i++) {
      create("warm-" + i);
    }
    double resident = bench.settledKib();
    var made = new ArrayList<String>();
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      made.add("w" + i);
      millis[i] = create("w" + i);
    }
    var ready = new Quantiles(millis);
    bench.figures().put(ServerReport.WORKSPACE, ready.at(0.5));
    bench.figures().put(ServerReport.WORKSPACE_SLOWEST, ready.max());
    remember(resident, heap);
    bench.figures().put(ServerReport.TREE, trees().at(0.5));
    bench.figures().put(ServerReport.BOUND, bound(made).at(0.5));
  }

  private void remember(double resident, OptionalDouble heap) {
    if (bench.process().isPresent()) {
      double grown = (bench.settledKib() - resident) / 1024;
      bench.figures().put(ServerReport.PER_WORKSPACE, grown / count);
    }
    OptionalDouble after = bench.liveHeapBytes();
    if (heap.isPresent() && after.isPresent()) {
      double grown = (after.getAsDouble() - heap.getAsDouble()) / 1024;
      bench.figures().put(ServerReport.HEAP_PER_WORKSPACE, grown / (count + WARM_UP));
    }
  }

  /** A workspace with one below it, as a test asks for. */
  private Quantiles trees() {
    var millis = new double[Math.min(count, 20)];
    for (int i = 0; i < millis.length; i++) {
      String root = "tree-" + i;
      long begin = System.nanoTime();
      create(root);
      ready(bench.path(root), "below");
      millis[i] = Bench.millisSince(begin);
    }
    return new Quantiles(millis);
  }

  private Quantiles bound(List<String> workspaces) {
    return new Quantiles(workspaces.stream().limit(20).mapToDouble(bench::bind).skip(1).toArray());
  }

  /** Milliseconds until it is ready. */
  double create(String name) {
    String full = bench.workspaces().path(name).name();
    bench.workspaces().adopt(name);
    long begin = System.nanoTime();
    ready("/clusters/root", full);
    return Bench.millisSince(begin);
  }

  private void ready(String parent, String name) {
    Map<String, Object> workspace =
        Map.of(
            "apiVersion",
            "tenancy.kcp.io/v1alpha1",
            "kind",
            "Workspace",
            "metadata",
            Map.of("name", name),
            "spec",
            Map.of("type", Map.of("name", "universal", "path", "root")));
    bench.raw().post(parent + WORKSPACES, KubeJson.write(workspace));
    Patience.awaitClosely(
        "the workspace is ready",
        () -> {
          KubeObject seen = bench.raw().object(parent + WORKSPACES + "/" + name);
          return seen.text("status", "phase").equals("Ready");
        });
  }
}
