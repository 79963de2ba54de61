package dev.mooring.benchmarks.sync;

import dev.mooring.harness.HarnessFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests as the agent counts them itself: {@code mooring_client_requests_total}, or {@code
 * rest_client_requests_total} of clients written in Go. Thread-safe.
 */
final class AgentCounters implements RequestCounter {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?:mooring_client|rest_client)_requests_total\\{(?<labels>.*)} (?<value>[0-9.eE+]+)");
  private static final Pattern METHOD = Pattern.compile("method=\"([A-Z]+)\"");

  private final URI metrics;

  AgentCounters(URI metrics) {
    this.metrics = metrics;
  }

  @Override
  public Map<String, Long> counts() {
    var counts = new TreeMap<String, Long>();
    for (String line : text().split("\n")) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        Matcher method = METHOD.matcher(sample.group("labels"));
        String kind = method.find() ? method.group(1) : "?";
        counts.merge(kind, (long) Double.parseDouble(sample.group("value")), Long::sum);
      }
    }
    return counts;
  }

  private String text() {
    var request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(10)).build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new HarnessFailure("The agent's metrics cannot be read: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    }
  }
}
