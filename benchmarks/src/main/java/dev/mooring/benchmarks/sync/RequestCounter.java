package dev.mooring.benchmarks.sync;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts an agent's requests, watches and the Lease aside, as the agent does itself: {@code
 * mooring_client_requests_total}, or {@code rest_client_requests_total} of clients written in Go.
 */
record RequestCounter(URI metrics) {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "(?:mooring_client|rest_client)_requests_total\\{(?<labels>.*)} (?<value>[0-9.eE+]+)");
  private static final Pattern METHOD = Pattern.compile("method=\"([A-Z]+)\"");

  /** By method, since the agent's start. */
  Map<String, Long> counts() {
    var counts = new TreeMap<String, Long>();
    try (var probe = HttpProbe.plain()) {
      String text =
          probe
              .body(metrics)
              .orElseThrow(() -> new HarnessFailure("No metrics of the agent at " + metrics));
      for (String line : text.split("\n")) {
        Matcher sample = SAMPLE.matcher(line);
        if (sample.matches()) {
          Matcher method = METHOD.matcher(sample.group("labels"));
          String kind = method.find() ? method.group(1) : "?";
          counts.merge(kind, (long) Double.parseDouble(sample.group("value")), Long::sum);
        }
      }
    }
    return counts;
  }

  /** What came on top of {@code before}; printed by method. */
  long since(Map<String, Long> before) {
    var more = new TreeMap<String, Long>();
    counts().forEach((kind, count) -> more.put(kind, count - before.getOrDefault(kind, 0L)));
    more.values().removeIf(count -> count <= 0);
    if (!more.isEmpty()) {
      System.out.println("    " + more);
    }
    return more.values().stream().mapToLong(Long::longValue).sum();
  }
}
