package dev.mooring.runtime.spring;

import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.event.EventRecorder;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Meters that all services have. The owner of what is measured may replace it; the meters do not
 * keep the owner alive.
 */
public final class RuntimeMetrics {
  private RuntimeMetrics() {}

  /**
   * @param server a word for what the requests go to
   */
  public static <T> void requests(
      MeterRegistry registry,
      String server,
      T owner,
      Function<? super T, Optional<RequestCounters>> counters) {
    for (RequestCounters.Method method : RequestCounters.Method.values()) {
      for (RequestCounters.Outcome outcome : RequestCounters.Outcome.values()) {
        FunctionCounter.builder(
                "mooring.client.requests",
                owner,
                o -> counters.apply(o).map(c -> c.count(method, outcome)).orElse(0L))
            .description("Requests to a server, without watches")
            .tags(
                "server", server,
                "method", method.name(),
                "outcome", outcome.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
  }

  public static <T> void events(
      MeterRegistry registry, T owner, Function<? super T, EventRecorder.Backlog> backlog) {
    Gauge.builder("mooring.events.waiting", owner, o -> backlog.apply(o).waiting())
        .description("Events that wait to be written")
        .register(registry);
    FunctionCounter.builder("mooring.events.dropped", owner, o -> backlog.apply(o).dropped())
        .description("Events dropped (rejected by the server or queue full)")
        .register(registry);
  }
}
