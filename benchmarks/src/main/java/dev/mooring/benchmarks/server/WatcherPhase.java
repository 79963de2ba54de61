package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.harness.HarnessFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How late many watchers of one type see an event: clients with up to 100 watches each, over one
 * connection of HTTP/2 a client.
 */
final class WatcherPhase {
  /** Within what any server allows. */
  private static final int PER_CLIENT = 100;

  private static final int ROUNDS = 25;
  private static final int WARM_UP = 5;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration SEEN_WITHIN = Duration.ofMinutes(1);

  private final Bench bench;
  private final int watchers;

  private volatile Round current;

  /** One event that is on its way to the watchers. */
  private record Round(long begin, CountDownLatch missing, ConcurrentLinkedQueue<Double> millis) {
    Round(int watchers) {
      this(System.nanoTime(), new CountDownLatch(watchers), new ConcurrentLinkedQueue<>());
    }

    void seen() {
      millis.add(Quantiles.millisSince(begin));
      missing.countDown();
    }
  }

  WatcherPhase(Bench bench, int watchers) {
    this.bench = bench;
    this.watchers = watchers;
    this.current = new Round(watchers);
  }

  void measure() throws InterruptedException {
    String things = bench.bound("watched");
    String version = bench.raw().object(things).text("metadata", "resourceVersion");
    var clients = new ArrayList<WatchClient>();
    try {
      for (int i = 0; i < watchers; i++) {
        if (i % PER_CLIENT == 0) {
          clients.add(new WatchClient(bench.administrator()));
          clients.getLast().connect();
        }
        clients
            .getLast()
            .watch(things + "?watch=true&resourceVersion=" + version, _ -> current.seen());
      }
      var late = new Quantiles(rounds(things));
      String figure = "event seen by %d watchers, ".formatted(watchers);
      bench.put(figure + "p50 [ms]", late.median());
      bench.put(figure + "p99 [ms]", late.at(0.99), Limit.atMost(100));
    } finally {
      clients.forEach(WatchClient::close);
    }
  }

  private List<Double> rounds(String things) throws InterruptedException {
    var all = new ArrayList<Double>();
    for (int i = 0; i < ROUNDS; i++) {
      var round = new Round(watchers);
      current = round;
      bench.raw().post(things, Things.thing("thing-" + i, i));
      HarnessFailure.unless(
          round.missing().await(SEEN_WITHIN.toSeconds(), TimeUnit.SECONDS),
          round.missing().getCount() + " of " + watchers + " watchers have not seen an event");
      if (i >= WARM_UP) {
        all.addAll(round.millis());
      }
      Waiting.rest(PAUSE);
    }
    return all;
  }
}
