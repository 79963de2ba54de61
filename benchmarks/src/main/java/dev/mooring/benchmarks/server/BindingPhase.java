package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
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
    var consumers = new String[count];
    Load.share(0, count, i -> consumers[i] = bench.create("consumer-" + i));
    int bound = 0;
    for (int size : List.of(SAMPLES, 100, count)) {
      int first = size - SAMPLES;
      if (size > count || first < bound) {
        continue;
      }
      Load.share(bound, first, i -> bench.bind(consumers[i]));
      var served =
          new Quantiles(IntStream.range(first, size).mapToDouble(i -> bench.bind(consumers[i])));
      bench.put("binding number %d, served [ms]".formatted(size), served.median());
      bound = size;
      view(size, List.of(consumers).subList(first, size));
    }
  }

  private void view(int size, List<String> consumers) {
    String view = view();
    measure(
        "create through the view of %d bindings [ms]".formatted(size),
        i -> {
          String name = consumers.get(i).substring((Bench.ROOT + ":").length());
          KubeObject consumer = bench.raw().object(Bench.ROOT + Bench.WORKSPACES + "/" + name);
          String cluster = consumer.text("spec", "cluster");
          bench.raw().post(view + "/clusters/" + cluster + Things.COLLECTION, Things.thing("a", i));
        });
    measure(
        "list through the view of %d bindings [ms]".formatted(size),
        _ -> bench.raw().get(view + "/clusters/*" + Things.EVERYWHERE));
  }

  private void measure(String figure, IntConsumer work) {
    bench.put(figure, Quantiles.of(SAMPLES, i -> () -> work.accept(i)).median());
  }

  /** The URL that the export's endpoint slice names. */
  private String view() {
    String slice = "/clusters/" + bench.provider() + SLICES + "bench.example.com";
    Waiting.awaitClosely(
        "the endpoint slice in " + bench.provider() + " has endpoints",
        () -> !bench.raw().object(slice).list("status", "endpoints").isEmpty());
    KubeObject found = bench.raw().object(slice);
    return Trees.text(found.list("status", "endpoints").getFirst(), "url");
  }
}
