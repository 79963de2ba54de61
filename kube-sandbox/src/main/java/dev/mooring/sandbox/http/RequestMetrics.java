package dev.mooring.sandbox.http;

import dev.mooring.model.identity.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests by method, and lists by resource, for {@code /metrics}. Thread-safe. */
final class RequestMetrics {
  static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Resources that are counted by their own name; further ones have none. */
  static final int RESOURCES_MAX = 1_000;

  private static final List<String> METHODS = List.of("DELETE", "GET", "PATCH", "POST", "PUT");

  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> lists = new ConcurrentSkipListMap<>();

  void count(String method) {
    String known = METHODS.contains(method) ? method : "other";
    increment(requests, "verb=\"%s\"".formatted(known));
  }

  /** A list, which the sandbox answers from memory as kcp does from its watch cache. */
  void countList(ResourceType type) {
    String labels =
        "group=\"%s\",index=\"\",resource=\"%s\"".formatted(type.group(), type.resource());
    boolean isOneTooMany = lists.size() >= RESOURCES_MAX && !lists.containsKey(labels);
    increment(lists, isOneTooMany ? "group=\"\",index=\"\",resource=\"\"" : labels);
  }

  private static void increment(Map<String, LongAdder> counters, String labels) {
    counters.computeIfAbsent(labels, _ -> new LongAdder()).increment();
  }

  /**
   * In the text format of Prometheus.
   *
   * @param watches that run at the moment
   */
  String text(int watches) {
    var text = new StringBuilder();
    append(text, "apiserver_request_total", "Number of requests by method.", requests);
    append(text, "apiserver_cache_list_total", "Number of lists by resource.", lists);
    return text.append(
            """
            # HELP apiserver_longrunning_requests Number of running watches.
            # TYPE apiserver_longrunning_requests gauge
            apiserver_longrunning_requests{verb="WATCH"} %d
            """
                .formatted(watches))
        .toString();
  }

  private static void append(
      StringBuilder text, String name, String help, Map<String, LongAdder> counters) {
    text.append("# HELP %s %s\n# TYPE %s counter\n".formatted(name, help, name));
    counters.forEach((labels, count) ->
        text.append(name).append('{').append(labels).append("} ").append(count.sum()).append('\n'));
  }
}
