package dev.mooring.sandbox.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts requests by method, for {@code /metrics}. Thread-safe. */
final class RequestMetrics {
  static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final List<String> METHODS = List.of("DELETE", "GET", "PATCH", "POST", "PUT");

  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();

  void count(String method) {
    String known = METHODS.contains(method) ? method : "other";
    requests.computeIfAbsent(known, _ -> new LongAdder()).increment();
  }

  /**
   * In the text format of Prometheus.
   *
   * @param watches that run at the moment
   */
  String text(int watches) {
    return counted()
        + """
        # HELP apiserver_longrunning_requests Number of running watches.
        # TYPE apiserver_longrunning_requests gauge
        apiserver_longrunning_requests{verb="WATCH"} %d
        """
            .formatted(watches);
  }

  private String counted() {
    return requests.entrySet().stream()
        .map(entry ->
            "apiserver_request_total{verb=\"%s\"} %d%n"
                .formatted(entry.getKey(), entry.getValue().sum()))
        .collect(
            Collectors.joining(
                "",
                "# HELP apiserver_request_total Number of requests by method.\n"
                    + "# TYPE apiserver_request_total counter\n",
                ""))
        .replace("\r\n", "\n");
  }
}
