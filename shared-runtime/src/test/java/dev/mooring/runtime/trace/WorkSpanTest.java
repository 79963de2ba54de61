package dev.mooring.runtime.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.log.LogFields;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WorkSpanTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static final Tracing.Headers NO_HEADERS = _ -> null;

  private final RecordedTraces recorded = new RecordedTraces();

  @Test
  void joinsTheTraceOfItsRequest() {
    try (var _ = recorded.tracing().received("review", Map.of("traceparent", PARENT)::get)) {}

    SpanData span = recorded.spans().getFirst();
    assertThat(span.getTraceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
  }

  @Test
  void aHeaderThatIsNoneBeginsATrace() {
    try (var _ = recorded.tracing().received("review", Map.of("traceparent", "00-x")::get)) {}

    assertThat(recorded.spans().getFirst().getParentSpanId()).isEqualTo("0000000000000000");
  }

  @Test
  void goesOnWithWorkOnAnotherThread() throws Exception {
    var seen = new CompletableFuture<WorkSpan>();
    try (var review = recorded.tracing().received("review", _ -> null)) {
      Thread.ofVirtual().start(WorkSpan.carry(() -> seen.complete(WorkSpan.current()))).join();

      assertThat(seen.get()).isSameAs(review);
      assertThat(WorkSpan.current()).isSameAs(review);
    }
    assertThat(WorkSpan.current()).isSameAs(WorkSpan.NONE);
  }

  @Test
  void saysOfAFailureNoMoreThanItsKind() {
    try (var review = recorded.tracing().received("review", _ -> null)) {
      review.failed(KubeFailure.Kind.INVALID.name());
    }

    SpanData span = recorded.spans().getFirst();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).isEqualTo("INVALID");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type"))).isEqualTo("INVALID");
  }

  @Test
  void withoutTracingNothingIsAllocated() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    var traces = new KeyTraces<String>(Tracing.OFF, "sync");
    untraced(traces);
    long before = threads.getCurrentThreadAllocatedBytes();

    for (int work = 0; work < 1000; work++) {
      untraced(traces);
    }

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000);
  }

  private static void untraced(KeyTraces<String> traces) {
    try (var pass = traces.begin("a", LogFields.NONE, Instant.EPOCH, Instant.EPOCH);
        var review = Tracing.OFF.received("review", NO_HEADERS)) {
      review.about(LogFields.NONE).tag("mooring.decision", "allowed");
      pass.failed("CONFLICT");
      WorkSpan.current().propagate("request", (_, _, _) -> {});
      WorkSpan.current().request("GET /").close();
    }
  }
}
