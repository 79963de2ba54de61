package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.Pages;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.harness.HarnessFailure;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;

/** Many objects of a bound type in one workspace, with a watch that gets all their events. */
record ObjectPhase(Bench bench, int count) {
  private static final int LISTS = 7;

  /** Of those whose rate by a single writer is measured. */
  private static final int SINGLE_SHARE = 10;

  private static final Limit FASTER = Limit.ofCompetitor(1.0 / 3, "three times as fast");

  void measure() {
    String things = bench.bound("objects");
    warmUp(things);
    double resident = bench.residentMib();
    OptionalDouble heap = bench.liveHeapKib();
    String version = bench.raw().object(things + "?limit=1").text("metadata", "resourceVersion");
    var seen = new AtomicInteger();
    try (WatchClient watcher = new WatchClient(bench.administrator())) {
      watcher.watch(things + "?watch=true&resourceVersion=" + version, _ -> seen.incrementAndGet());
      write(things);
      Waiting.awaitClosely("the watch has all events", () -> seen.get() >= 2 * count);
      remember(things, resident, heap);
    }
    list("list of all objects [ms]", () -> list(things));
    list("list of one in 100 by label [ms]", () -> bench.raw().get(things + Things.SELECTOR));
    list("list in pages of 500 [ms]", () -> Pages.read(things, count, this::text));
    double deleted = Quantiles.millis(() -> bench.raw().delete(things)) / 1e3;
    bench.put("deletecollection of all objects [s]", deleted, Limit.atMost(2));
  }

  private void warmUp(String things) {
    Load.share(
        0, Math.min(count, 300), i -> bench.raw().post(things, Things.thing("warm-" + i, i)));
    bench.raw().get(things);
    bench.raw().delete(things);
  }

  private void write(String things) {
    int single = count / SINGLE_SHARE;
    double one =
        Quantiles.millis(() -> {
          for (int i = 0; i < single; i++) {
            create(things, i);
          }
        });
    bench.put("create, one writer [ms]", one / single, FASTER);
    double create = Quantiles.millis(() -> Load.share(single, count, i -> create(things, i)));
    bench.put("create, eight writers [ms]", create / (count - single), FASTER);
    double update =
        Quantiles.millis(() ->
            Load.share(0, count, i -> bench.raw().patch(things + "/thing-" + i, Things.patch())));
    bench.put("update, eight writers [ms]", update / count);
  }

  private void create(String things, int number) {
    bench.raw().post(things, Things.thing("thing-" + number, number));
  }

  private void remember(String things, double resident, OptionalDouble heap) {
    double json = bench.raw().get(things + "/thing-0").length / 1024.0;
    bench.put("JSON of one object [KiB]", json);
    OptionalDouble after = bench.liveHeapKib();
    if (heap.isPresent() && after.isPresent()) {
      double each = (after.getAsDouble() - heap.getAsDouble()) / count;
      bench.put("live heap per object with its history [KiB]", each);
      bench.put("live heap per object with its history [JSONs]", each / json, Limit.atMost(3));
    }
    if (bench.process().isPresent()) {
      double now = bench.residentMib();
      bench.put("resident per object with its history [KiB]", (now - resident) * 1024 / count);
      bench.put("resident with all objects [MiB]", now);
    }
  }

  private void list(String figure, Runnable list) {
    bench.put(figure, Quantiles.of(LISTS, _ -> list).median(), Limit.ofCompetitor(1, "no slower"));
  }

  private void list(String things) {
    int length = bench.raw().get(things).length;
    // Each object has more bytes than this: a short answer is a failure, not a fast list.
    HarnessFailure.unless(
        length >= count * 1_000L, "A list of " + count + " objects has " + length + " bytes");
  }

  private String text(String path) {
    return new String(bench.raw().get(path), StandardCharsets.ISO_8859_1);
  }
}
