package dev.mooring.benchmarks.sync;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests as the agent counts them itself: {@code mooring_client_requests_total}, or {@code
 * rest_client_requests_total} of clients written in Go. Thread-safe.
 */
record AgentCounters(URI metrics) implements RequestCounter {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?:mooring_client|rest_client)_requests_total\\{(?<labels>.*)} (?<value>[0-9.eE+]+)");
  private static final Pattern METHOD = Pattern.compile("method=\"([A-Z]+)\"");

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
    try (var probe = HttpProbe.plain()) {
      return probe
          .body(metrics)
          .orElseThrow(() -> new HarnessFailure("The agent's metrics cannot be read: " + metrics));
    }
  }
}
