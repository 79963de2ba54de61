package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Metrics as they are scraped, and their description. */
class SyncMetricsIT {
  private static final Pattern NAME = Pattern.compile("(?m)^(mooring_[a-z_]+|sync_agent_[a-z_]+)");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @BeforeAll
  static void syncsOneObjectBothWays() throws Exception {
    var certificates = new Certificates(clusters, "consumer-1");
    certificates.order("measured");
    KubeObject copy = certificates.copy("measured");
    clusters
        .service()
        .patchStatus(
            TwoClusters.CERTIFICATES,
            copy.namespace(),
            copy.name(),
            Map.of("status", Map.of("phase", "Ready")));
    certificates.awaitPhase("measured", "Ready");
  }

  @Test
  void showEachPublishedResourceInBothDirections() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(scraped())
                .contains(
                    "mooring_sync_objects{published_resource=\"certificates\",state=\"synced\"} 1.0",
                    "mooring_sync_objects{published_resource=\"certificates\",state=\"failed\"} 0.0",
                    "mooring_sync_copies{published_resource=\"certificates\"} 1.0",
                    "mooring_events_waiting 0.0",
                    "mooring_events_dropped_total 0.0",
                    "mooring_sync_queued{published_resource=\"certificates\"} 0.0",
                    "mooring_sync_oldest_unsynced_seconds{published_resource=\"certificates\"} 0.0",
                    "mooring_sync_latency_seconds_count"
                        + "{direction=\"down\",published_resource=\"certificates\"} 1",
                    "mooring_sync_latency_seconds_count"
                        + "{direction=\"up\",published_resource=\"certificates\"} 1")
                .containsPattern(
                    "mooring_sync_writes_total"
                        + "\\{direction=\"down\",published_resource=\"certificates\"} [1-9]")
                .containsPattern(
                    "mooring_sync_conflicts_total"
                        + "\\{direction=\"up\",published_resource=\"certificates\"} ")
                .containsPattern(
                    "mooring_client_requests_total"
                        + "\\{method=\"POST\",outcome=\"success\",server=\"service\"} [1-9]"));
  }

  @Test
  void areAllDescribed() throws Exception {
    String described = Files.readString(Path.of("../docs/reference/metrics.md"));
    var names = new TreeSet<String>();
    var matcher = NAME.matcher(scraped());
    while (matcher.find()) {
      names.add(matcher.group(1).replaceAll("_(bucket|count|sum|max)$", ""));
    }

    assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(described).contains(name));
  }

  private static String scraped() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI metrics = clusters.management("/actuator/prometheus");
      return http.send(
              HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
