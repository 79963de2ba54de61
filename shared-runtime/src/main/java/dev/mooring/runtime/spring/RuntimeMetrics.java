package dev.mooring.runtime.spring;

import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueStatus;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.watch.Informer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Shows queues, informers, requests and events as meters:
 *
 * <pre>
 * mooring.queue.keys{queue,state=waiting|running|delayed|failing}   keys
 * mooring.queue.oldest.seconds{queue}                               seconds the oldest key waits
 * mooring.queue.work{queue,outcome=success}                         timer, one per attempt
 * mooring.queue.attempts{queue}                                     attempts of either outcome
 * mooring.queue.failures{queue}                                     failed attempts
 * mooring.informer.objects{type,server}                             objects held
 * mooring.informer.connected{type,server}                           1 while a watch is open
 * mooring.informer.synced{type,server}                              1 once everything was listed
 * mooring.client.requests{server,method,outcome}                    requests, watches aside
 * mooring.events.waiting                                            events to be written
 * mooring.events.dropped                                            events dropped
 * </pre>
 */
public final class RuntimeMetrics {
  private final MeterRegistry registry;

  public RuntimeMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** To be given to the queue when it starts; {@link #watch(String, WorkQueue)} shows the rest. */
  public <K> QueueListener<K> timing(String queue, QueueListener<K> next) {
    Timer work =
        Timer.builder("mooring.queue.work")
            .description("Attempts to work on a key that succeeded")
            .tags("queue", queue, "outcome", "success")
            .register(registry);
    Counter failures =
        Counter.builder("mooring.queue.failures")
            .description("Attempts to work on a key that failed")
            .tag("queue", queue)
            .register(registry);
    return new QueueListener<>() {
      @Override
      public void succeeded(K key, Duration took) {
        work.record(took);
        next.succeeded(key, took);
      }

      @Override
      public void failed(K key, Exception cause, int inARow, Duration retryAfter) {
        failures.increment();
        next.failed(key, cause, inARow, retryAfter);
      }
    };
  }

  public void watch(String name, WorkQueue<?> queue) {
    keys(name, "waiting", queue, QueueStatus::waiting);
    keys(name, "running", queue, QueueStatus::running);
    keys(name, "delayed", queue, QueueStatus::delayed);
    keys(name, "failing", queue, QueueStatus::failing);
    Gauge.builder("mooring.queue.oldest.seconds", queue, q -> seconds(q.status().oldest()))
        .description("How long the key has waited that has waited longest")
        .tag("queue", name)
        .register(registry);
    FunctionCounter.builder("mooring.queue.attempts", queue, q -> attempts(q.status()))
        .description("Attempts to work on a key")
        .tag("queue", name)
        .register(registry);
  }

  /**
   * @param server tells informers of one type apart; not a URL, whose cluster names would make a
   *     series each
   */
  public void watch(String server, Informer informer) {
    Tags tags = Tags.of("type", informer.spec().type().qualified(), "server", server);
    Gauge.builder("mooring.informer.objects", informer, i -> i.cache().size())
        .description("Objects held")
        .tags(tags)
        .register(registry);
    Gauge.builder("mooring.informer.connected", informer, i -> i.status().connected() ? 1 : 0)
        .description("Whether a watch is open")
        .tags(tags)
        .register(registry);
    Gauge.builder("mooring.informer.synced", informer, i -> i.isSynced() ? 1 : 0)
        .description("Whether everything was listed once")
        .tags(tags)
        .register(registry);
  }

  /**
   * @param server a word for what the requests go to
   */
  public void watch(String server, RequestCounters requests) {
    for (RequestCounters.Method method : RequestCounters.Method.values()) {
      for (RequestCounters.Outcome outcome : RequestCounters.Outcome.values()) {
        FunctionCounter.builder(
                "mooring.client.requests", requests, counters -> counters.count(method, outcome))
            .description("Requests to a server, watches aside")
            .tags(
                "server", server,
                "method", method.name(),
                "outcome", outcome.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
  }

  public void watch(EventRecorder events) {
    Gauge.builder("mooring.events.waiting", events, recorder -> recorder.backlog().waiting())
        .description("Events that wait to be written")
        .register(registry);
    FunctionCounter.builder(
            "mooring.events.dropped", events, recorder -> recorder.backlog().dropped())
        .description("Events dropped (rejected by the server or queue full)")
        .register(registry);
  }

  private void keys(
      String name, String state, WorkQueue<?> queue, ToDoubleFunction<QueueStatus> count) {
    Gauge.builder("mooring.queue.keys", queue, q -> count.applyAsDouble(q.status()))
        .description("Keys in a state")
        .tags("queue", name, "state", state)
        .register(registry);
  }

  private static double attempts(QueueStatus status) {
    return status.succeeded() + status.failed();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
