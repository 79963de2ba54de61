package dev.mooring.benchmarks;

import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Times an API server, the sandbox or a real one, with one client: creates, gets, a list, and watch
 * events. Works in a namespace of its own and removes it.
 *
 * <p>Arguments: a kubeconfig, and how many ConfigMaps (default 1000).
 */
public final class ServerBenchmark {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final String NAMESPACE = "mooring-benchmark";

  private final KubeClient client;
  private final int count;

  private ServerBenchmark(KubeClient client, int count) {
    this.client = client;
    this.count = count;
  }

  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length == 0) {
      System.err.println("Arguments: KUBECONFIG [COUNT]");
      System.exit(2);
    }
    int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    try (var connection =
        KubeConnection.fromKubeconfig(Path.of(arguments[0]), ConnectionOptions.of("benchmark"))) {
      new ServerBenchmark(connection.client(), count).run();
    }
  }

  private void run() throws InterruptedException {
    client.create(NAMESPACES, KubeObject.of(NAMESPACES, "Namespace", "", NAMESPACE));
    try {
      report("create", i -> client.create(CONFIG_MAPS, configMap("a-" + i)));
      report("get", i -> client.find(CONFIG_MAPS, NAMESPACE, "a-" + i));
      ListQuery all = ListQuery.ALL.inNamespace(NAMESPACE);
      long started = System.nanoTime();
      String version = client.list(CONFIG_MAPS, all).resourceVersion();
      System.out.printf(
          Locale.ROOT, "%-8s %d objects in %.1f ms%n", "list", count, millis(started));
      watch(version);
    } finally {
      client.delete(NAMESPACES, "", NAMESPACE, new DeleteCondition.Unconditional());
    }
  }

  private void watch(String version) throws InterruptedException {
    var seen = new CountDownLatch(count);
    var sink =
        new WatchSink() {
          @Override
          public void event(WatchEventType type, KubeObject object) {
            if (type == WatchEventType.ADDED) {
              seen.countDown();
            }
          }

          @Override
          public void closed(@Nullable KubeFailure cause) {
            // Closed by us once everything was seen, or the wait below runs out.
          }
        };
    try (var _ = client.watch(CONFIG_MAPS, new WatchQuery(NAMESPACE, "", "", version), sink)) {
      long started = System.nanoTime();
      for (int i = 0; i < count; i++) {
        client.create(CONFIG_MAPS, configMap("b-" + i));
      }
      if (!seen.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("not all events of the watch have come");
      }
      System.out.printf(
          Locale.ROOT, "%-8s %d creates seen in %.1f ms%n", "watch", count, millis(started));
    }
  }

  private void report(String name, IntConsumer request) {
    long started = System.nanoTime();
    var spread = Quantiles.of(count, i -> () -> request.accept(i));
    System.out.printf(
        Locale.ROOT,
        "%-8s %6.0f/s   p50 %.2f ms   p99 %.2f ms%n",
        name,
        count * 1e3 / millis(started),
        spread.at(0.5),
        spread.at(0.99));
  }

  private static double millis(long startedNanos) {
    return (System.nanoTime() - startedNanos) / 1e6;
  }

  private static KubeObject configMap(String name) {
    return KubeObject.of(CONFIG_MAPS, "ConfigMap", NAMESPACE, name)
        .with("x".repeat(200), "data", "text");
  }
}
