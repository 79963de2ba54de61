package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A running server, and what is known of it so far.
 *
 * @param process empty for a server that runs already
 * @param raw for all requests that are measured
 * @param workspaces for what has to be there before
 */
record Bench(
    Optional<MeasuredProcess> process,
    Kubeconfig administrator,
    RawClient raw,
    Workspaces workspaces,
    Figures figures) {
  private static final String PROVIDER = "provider";

  /** Creates the workspace with the APIExport of Things. */
  void export() {
    workspaces.create(PROVIDER);
    Manifests.ofResource("/server-benchmark/provider.yaml", Map.of())
        .forEach(object -> Workspaces.create(workspaces.client(PROVIDER), object));
  }

  /** With a connection of its own. */
  WatchClient watcher() {
    return new WatchClient(administrator);
  }

  double residentKib() {
    return process.map(running -> (double) running.residentKib()).orElse(0.0);
  }

  /** As {@link #residentKib}, once an idle server has given back what it does not need. */
  double settledKib() {
    Patience.rest(Starts.SETTLED);
    return residentKib();
  }

  /** Empty for a server that is no JVM, or that runs already. */
  OptionalDouble liveHeapBytes() {
    return process.map(MeasuredProcess::liveHeapBytes).orElse(OptionalDouble.empty());
  }

  String providerPath() {
    return workspaces.path(PROVIDER).value();
  }

  /**
   * Binds a workspace to Things.
   *
   * @return milliseconds from the request until they are served
   */
  double bind(String workspace) {
    byte[] binding = Things.binding(providerPath());
    String base = path(workspace);
    long begin = System.nanoTime();
    raw.post(base + "/apis/apis.kcp.io/v1alpha2/apibindings", binding);
    Patience.awaitClosely(
        "Things are served in " + workspace,
        () ->
            raw.object(base + "/apis/apis.kcp.io/v1alpha2/apibindings/bench")
                    .text("status", "phase")
                    .equals("Bound")
                && raw.status(base + Things.COLLECTION + "?limit=1") == 200);
    return millisSince(begin);
  }

  /** The URL's part in front of {@code /api}. */
  String path(String workspace) {
    return "/clusters/" + workspaces.path(workspace).value();
  }

  static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }
}
