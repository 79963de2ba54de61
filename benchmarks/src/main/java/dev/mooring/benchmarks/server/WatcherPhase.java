package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.harness.HarnessFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How late many watchers of one type see an event: clients with up to 100 watches each, over one
 * connection of HTTP/2 a client.
 */
record WatcherPhase(Bench bench, int watchers) {
  private static final String WORKSPACE = "watched";

  /** Within what any server allows. */
  private static final int PER_CLIENT = 100;

  private static final int ROUNDS = 25;
  private static final int WARM_UP = 5;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration SEEN_WITHIN = Duration.ofMinutes(1);

  /** One event, and when it reached the watchers. */
  private static final class Round {
    final long begin = System.nanoTime();
    final double[] millis;
    final AtomicInteger next = new AtomicInteger();
    final CountDownLatch missing;

    Round(int watchers) {
      millis = new double[watchers];
      missing = new CountDownLatch(watchers);
    }

    void seen() {
      millis[next.getAndIncrement()] = Bench.millisSince(begin);
      missing.countDown();
    }
  }

  /** The event that is on its way. */
  private static final class Current {
    volatile Round round;

    Current(Round first) {
      round = first;
    }
  }

  void measure() throws InterruptedException {
    bench.workspaces().create(WORKSPACE);
    bench.bind(WORKSPACE);
    String things = bench.path(WORKSPACE) + Things.COLLECTION;
    String version = bench.raw().object(things).text("metadata", "resourceVersion");
    var current = new Current(new Round(watchers));
    var clients = new ArrayList<WatchClient>();
    try {
      for (int i = 0; i < watchers; i++) {
        if (i % PER_CLIENT == 0) {
          clients.add(bench.watcher());
          clients.getLast().connect();
        }
        clients
            .getLast()
            .watch(things + "?watch=true&resourceVersion=" + version, _ -> current.round.seen());
      }
      var all = new ArrayList<Double>();
      for (int i = 0; i < ROUNDS; i++) {
        Round now = new Round(watchers);
        current.round = now;
        bench.raw().post(things, Things.thing("thing-" + i, i, 0));
        if (!now.missing.await(SEEN_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
          throw new HarnessFailure(
              now.missing.getCount() + " of " + watchers + " watchers have not seen an event");
        }
        if (i >= WARM_UP) {
          for (double millis : now.millis) {
            all.add(millis);
          }
        }
        Patience.rest(PAUSE);
      }
      var late = new Quantiles(all.stream().mapToDouble(Double::doubleValue).toArray());
      bench.figures().put(ServerReport.seen(watchers, "p50"), late.at(0.5));
      bench.figures().put(ServerReport.seen(watchers, "p99"), late.at(0.99));
    } finally {
      clients.forEach(WatchClient::close);
    }
  }
}
