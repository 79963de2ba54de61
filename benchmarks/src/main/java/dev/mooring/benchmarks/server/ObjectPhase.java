package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Many objects of a bound type in one workspace, with a watch that gets all their events. */
record ObjectPhase(Bench bench, int count) {
  private static final String WORKSPACE = "objects";
  private static final int LISTS = 7;
  private static final int PAGE = 500;

  /** Of those whose rate by a single writer is measured. */
  private static final int SINGLE_SHARE = 10;

  void measure() {
    bench.workspaces().create(WORKSPACE);
    bench.bind(WORKSPACE);
    String things = bench.path(WORKSPACE) + Things.COLLECTION;
    warmUp(things);
    double resident = bench.residentKib();
    OptionalDouble heap = bench.liveHeapBytes();
    String version = bench.raw().object(things + "?limit=1").text("metadata", "resourceVersion");
    var seen = new AtomicInteger();
    try (WatchClient watcher = bench.watcher()) {
      watcher.watch(things + "?watch=true&resourceVersion=" + version, _ -> seen.incrementAndGet());
      write(things);
      Patience.awaitClosely("the watch has all events", () -> seen.get() >= 2 * count);
      remember(things, resident, heap);
    }
    lists(things);
    long begin = System.nanoTime();
    bench.raw().delete(things);
    bench.figures().put(ServerReport.DELETED, Bench.millisSince(begin) / 1e3);
  }

  private void warmUp(String things) {
    List<Integer> some = IntStream.range(0, Math.min(count, 300)).boxed().toList();
    Clients.share(some, i -> bench.raw().post(things, Things.thing("warm-" + i, i, 0)));
    bench.raw().get(things);
    bench.raw().delete(things);
  }

  private void write(String things) {
    int single = count / SINGLE_SHARE;
    long begin = System.nanoTime();
    for (int i = 0; i < single; i++) {
      bench.raw().post(things, Things.thing("thing-" + i, i, 0));
    }
    bench.figures().put(ServerReport.CREATE_ONE, Bench.millisSince(begin) / single);
    begin = System.nanoTime();
    Clients.share(
        IntStream.range(single, count).boxed().toList(),
        i -> bench.raw().post(things, Things.thing("thing-" + i, i, 0)));
    bench.figures().put(ServerReport.CREATE, Bench.millisSince(begin) / (count - single));
    begin = System.nanoTime();
    Clients.share(
        IntStream.range(0, count).boxed().toList(),
        i -> bench.raw().patch(things + "/thing-" + i, Things.patch(1)));
    bench.figures().put(ServerReport.UPDATE, Bench.millisSince(begin) / count);
  }

  private void remember(String things, double resident, OptionalDouble heap) {
    double json = bench.raw().get(things + "/thing-0").length / 1024.0;
    bench.figures().put(ServerReport.JSON, json);
    OptionalDouble after = bench.liveHeapBytes();
    if (heap.isPresent() && after.isPresent()) {
      double each = (after.getAsDouble() - heap.getAsDouble()) / count / 1024;
      bench.figures().put(ServerReport.HEAP_PER_OBJECT, each);
      bench.figures().put(ServerReport.HEAP_PER_JSON, each / json);
    }
    if (bench.process().isPresent()) {
      bench.figures().put(ServerReport.PER_OBJECT, (bench.residentKib() - resident) / count);
      bench.figures().put(ServerReport.RESIDENT_OBJECTS, bench.residentKib() / 1024);
    }
  }

  private void lists(String things) {
    bench.figures().put(ServerReport.LIST, median(() -> list(things, count)));
    bench
        .figures()
        .put(ServerReport.LIST_SELECTED, median(() -> bench.raw().get(things + Things.selector())));
    bench.figures().put(ServerReport.LIST_PAGES, median(() -> pages(things)));
  }

  private static double median(Runnable list) {
    return Quantiles.of(LISTS, _ -> list).at(0.5);
  }

  private void list(String things, int expected) {
    byte[] body = bench.raw().get(things);
    // Each object has more bytes than this: a short answer is a failure, not a fast list.
    if (body.length < expected * 1_000L) {
      throw new HarnessFailure("A list of " + expected + " objects has " + body.length + " bytes");
    }
  }

  private void pages(String things) {
    String next = "";
    int pages = 0;
    do {
      String page = "?limit=" + PAGE;
      byte[] body =
          bench
              .raw()
              .get(
                  things
                      + page
                      + (next.isEmpty()
                          ? ""
                          : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8)));
      next = continued(body);
      pages++;
    } while (!next.isEmpty());
    if (pages != Math.ceilDiv(count, PAGE)) {
      throw new HarnessFailure(count + " objects came in " + pages + " pages");
    }
  }

  /** Found in the text: parsing a page takes the client as long as the server to write it. */
  private static String continued(byte[] page) {
    String text = new String(page, StandardCharsets.ISO_8859_1);
    int at = text.indexOf("\"continue\":\"");
    if (at < 0) {
      return "";
    }
    int from = at + "\"continue\":".length();
    int to = text.indexOf('"', from + 1) + 1;
    KubeObject value = KubeJson.readObject("{\"value\":" + text.substring(from, to) + "}");
    return value.text("value");
  }
}
