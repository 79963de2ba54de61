package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.spring.RuntimeMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Requests to kcp, and events that were dropped. */
@Component
class TrafficMetrics {
  TrafficMetrics(MeterRegistry meters, KubeConnection kcp, EventRecorder events) {
    RuntimeMetrics.requests(meters, "kcp", kcp, client -> Optional.of(client.requests()));
    RuntimeMetrics.events(meters, events, EventRecorder::backlog);
  }
}
