package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Many workspaces bound to one export: what one more costs, and the export's view of them. */
record BindingPhase(Bench bench, int count) {
  /** So many are measured at each size. */
  private static final int SAMPLES = 10;

  private static final String SLICES = "/apis/apis.kcp.io/v1alpha1/apiexportendpointslices/";

  void measure() {
    var workspaces = new WorkspacePhase(bench, 0);
    Clients.share(
        IntStream.range(0, count).boxed().toList(), i -> workspaces.create("consumer-" + i));
    int bound = 0;
    for (int size : List.of(SAMPLES, 100, count)) {
      if (size > count || size - SAMPLES < bound) {
        continue;
      }
      Clients.share(
          IntStream.range(bound, size - SAMPLES).boxed().toList(),
          i -> bench.bind("consumer-" + i));
      int first = size - SAMPLES;
      bench
          .figures()
          .put(
              ServerReport.binding(size),
              new Quantiles(
                      IntStream.range(first, size)
                          .mapToDouble(i -> bench.bind("consumer-" + i))
                          .toArray())
                  .at(0.5));
      bound = size;
      view(size, first);
    }
  }

  private void view(int size, int first) {
    String view = view();
    double create =
        median(i -> {
          String consumer = bench.raw().object(consumerObject(first + i)).text("spec", "cluster");
          bench
              .raw()
              .post(view + "/clusters/" + consumer + Things.COLLECTION, Things.thing("a", i, 0));
        });
    bench.figures().put(ServerReport.viewCreate(size), create);
    bench
        .figures()
        .put(
            ServerReport.viewList(size),
            median(_ -> bench.raw().get(view + "/clusters/*" + Things.EVERYWHERE)));
  }

  private static double median(IntConsumer work) {
    return Quantiles.of(SAMPLES, i -> () -> work.accept(i)).at(0.5);
  }

  private String consumerObject(int number) {
    return "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces/"
        + bench.workspaces().path("consumer-" + number).name();
  }

  /** The URL that the export's endpoint slice names. */
  private String view() {
    String slice = "/clusters/" + bench.providerPath() + SLICES + "bench.example.com";
    Patience.awaitClosely(
        "the slice has endpoints",
        () -> !bench.raw().object(slice).list("status", "endpoints").isEmpty());
    KubeObject found = bench.raw().object(slice);
    return Trees.text(found.list("status", "endpoints").getFirst(), "url");
  }
}
