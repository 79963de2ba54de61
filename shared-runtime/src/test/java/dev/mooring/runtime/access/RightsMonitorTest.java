package dev.mooring.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RightsMonitorTest {
  private final CountDownLatch asked = new CountDownLatch(2);
  private final AtomicBoolean apart = new AtomicBoolean();

  @TempDir private Path directory;

  @Test
  void asksSeveralProvidersAtATimeAndReportsEachInOrder() {
    try (StubServer server = StubServer.start((_, exchange) -> denyOnceBothAreAsked(exchange));
        KubeConnection connection = server.connect(directory, "", "{}")) {
      var byProvider = new TreeMap<String, List<Need>>();
      for (String provider : List.of("root:b", "root:a")) {
        byProvider.put(provider, List.of(need(provider, connection)));
      }
      try (var monitor =
          RightsMonitor.start(
              () -> new RightsMonitor.Needs(List.of(), byProvider, List.of()), new ManualTime())) {
        monitor.review();
        monitor.review();

        assertThat(monitor.findings().byProvider()).containsOnlyKeys("root:a", "root:b");
        assertThat(monitor.findings().disableAll()).isTrue();
      }
    }
    assertThat(apart).as("a provider was asked only once another had answered").isFalse();
  }

  @Test
  void asksSeveralFeaturesAtATime() {
    try (StubServer server = StubServer.start((_, exchange) -> denyOnceBothAreAsked(exchange));
        KubeConnection connection = server.connect(directory, "", "{}")) {
      var features = List.of(need("first", connection), need("second", connection));
      try (var monitor =
          RightsMonitor.start(
              () -> new RightsMonitor.Needs(List.of(), new TreeMap<>(), features),
              new ManualTime())) {
        monitor.review();
        monitor.review();

        assertThat(monitor.findings().features()).hasSize(2);
      }
    }
    assertThat(apart).as("a feature was asked for only once another was answered").isFalse();
  }

  @Test
  void asksOnceWhatManyProvidersNeed() {
    var requests = new AtomicInteger();
    try (StubServer server =
            StubServer.start((_, exchange) -> {
              requests.incrementAndGet();
              StubServer.reply(
                  exchange, 201, "application/json", "{\"status\":{\"allowed\":true}}");
            });
        KubeConnection connection = server.connect(directory, "", "{}")) {
      List<Need> parent = List.of(need("parent", connection));
      var byProvider = new TreeMap<>(Map.of("root:a", parent, "root:b", parent));
      try (var monitor =
          RightsMonitor.start(
              () -> new RightsMonitor.Needs(List.of(), byProvider, List.of()), new ManualTime())) {
        monitor.review();
        monitor.review();

        await().untilAsserted(() -> assertThat(requests).as("of three reviews").hasValue(3));
      }
    }
  }

  private static Need need(String place, KubeConnection connection) {
    return new Need(
        place, connection.client(), List.of(Right.to("get", "", "secrets")), "rbac.yaml");
  }

  private void denyOnceBothAreAsked(HttpExchange exchange) throws IOException {
    asked.countDown();
    try {
      if (!asked.await(20, TimeUnit.SECONDS)) {
        apart.set(true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    StubServer.reply(exchange, 201, "application/json", "{\"status\":{\"allowed\":false}}");
  }
}
