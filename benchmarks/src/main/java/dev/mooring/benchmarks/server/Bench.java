package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.model.json.KubeJson;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A running server, and what is known of it so far. Workspaces are named by the URL's part in front
 * of {@code /api}.
 *
 * @param process empty for a server that runs already
 * @param raw for all requests that are measured
 * @param provider path of the workspace with the APIExport of Things
 */
record Bench(
    Optional<MeasuredProcess> process,
    Kubeconfig administrator,
    RawClient raw,
    Workspaces workspaces,
    String provider,
    Figures figures) {
  static final String ROOT = "/clusters/root";
  static final String WORKSPACES = "/apis/tenancy.kcp.io/v1alpha1/workspaces";

  private static final String BINDINGS = "/apis/apis.kcp.io/v1alpha2/apibindings";

  /** Creates the workspace with the APIExport of Things. */
  static Bench with(
      Optional<MeasuredProcess> process,
      Kubeconfig administrator,
      RawClient raw,
      Workspaces workspaces,
      Figures figures) {
    Workspace provider = workspaces.create("provider");
    provider.create(Manifests.ofResource("/server-benchmark/provider.yaml", Map.of()));
    String path = provider.path().value();
    return new Bench(process, administrator, raw, workspaces, path, figures);
  }

  void put(String figure, double value, Limit... limits) {
    figures.put(figure, value, limits);
  }

  double residentMib() {
    return process.map(running -> running.residentMib(Resident.NOW)).orElse(0.0);
  }

  /** As {@link #residentMib}, once an idle server has given back what it does not need. */
  double settledMib() {
    if (process.isPresent()) {
      Waiting.rest(Starts.SETTLED);
    }
    return residentMib();
  }

  /** Empty for a server that is no JVM, or that runs already. */
  OptionalDouble liveHeapKib() {
    return process.map(MeasuredProcess::liveHeapKib).orElse(OptionalDouble.empty());
  }

  /** Creates a workspace below root and waits until it is ready. */
  String create(String name) {
    return create(ROOT, workspaces.adopt(name).name());
  }

  /** Creates a workspace below another one and waits until it is ready. */
  String create(String parent, String name) {
    raw.post(parent + WORKSPACES, KubeJson.write(Workspaces.object(name)));
    Waiting.awaitClosely(
        "the workspace " + parent + ":" + name + " is ready",
        () -> raw.object(parent + WORKSPACES + "/" + name).text("status", "phase").equals("Ready"));
    return parent + ":" + name;
  }

  /** Milliseconds from the request that binds a workspace to Things until they are served. */
  double bind(String workspace) {
    byte[] binding = Things.binding(provider);
    return Quantiles.millis(() -> {
      raw.post(workspace + BINDINGS, binding);
      Waiting.awaitClosely(
          "Things are served in " + workspace,
          () ->
              raw.object(workspace + BINDINGS + "/bench").text("status", "phase").equals("Bound")
                  && raw.status(workspace + Things.COLLECTION + "?limit=1") == 200);
    });
  }

  /** Creates a workspace that is bound to Things; the path of its Things. */
  String bound(String name) {
    String workspace = create(name);
    bind(workspace);
    return workspace + Things.COLLECTION;
  }
}
