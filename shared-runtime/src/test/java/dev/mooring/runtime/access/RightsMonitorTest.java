package dev.mooring.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
        byProvider.put(
            provider,
            List.of(
                new Need(
                    provider,
                    connection.client(),
                    List.of(Right.to("get", "", "secrets")),
                    "rbac.yaml")));
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
