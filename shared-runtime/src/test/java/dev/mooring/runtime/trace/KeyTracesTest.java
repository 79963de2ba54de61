package dev.mooring.runtime.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.log.LogFields;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KeyTracesTest {
  private static final Instant START = Instant.parse("2026-11-25T10:00:00Z");
  private static final LogFields ABOUT = LogFields.NONE.publishedResource("certificates");

  private final RecordedTraces recorded = new RecordedTraces();
  private final KeyTraces<String> traces = new KeyTraces<>(recorded.tracing(), "sync");

  @Test
  void passesThatFollowEachOtherAreOneTrace() {
    pass("a", START);
    pass("a", START.plusSeconds(20));
    pass("a", START.plusSeconds(40));

    List<SpanData> spans = recorded.spans();
    assertThat(spans).extracting(SpanData::getTraceId).containsOnly(spans.getFirst().getTraceId());
    assertThat(spans)
        .extracting(SpanData::getParentSpanId)
        .containsExactly(
            "0000000000000000", spans.getFirst().getSpanId(), spans.getFirst().getSpanId());
    assertThat(spans).allSatisfy(span -> assertThat(span.getLinks()).isEmpty());
  }

  @Test
  void aLaterPassBeginsAnotherTraceThatLinksToTheOneBefore() {
    pass("a", START);
    pass("a", START.plus(KeyTraces.GAP_MAX));

    SpanData first = recorded.spans().getFirst();
    SpanData second = recorded.spans().getLast();
    assertThat(second.getTraceId()).isNotEqualTo(first.getTraceId());
    assertThat(second.getLinks())
        .singleElement()
        .satisfies(
            link -> assertThat(link.getSpanContext().getSpanId()).isEqualTo(first.getSpanId()));
  }

  @Test
  void anObjectThatNeverSettlesBeginsATraceEveryFewMinutes() {
    for (Duration at = Duration.ZERO;
        at.compareTo(KeyTraces.TRACE_MAX) <= 0;
        at = at.plusSeconds(10)) {
      pass("a", START.plus(at));
    }

    assertThat(recorded.spans().stream().map(SpanData::getTraceId).distinct()).hasSize(2);
  }

  @Test
  void keysHaveTracesOfTheirOwn() {
    pass("a", START);
    pass("b", START);

    assertThat(recorded.spans().stream().map(SpanData::getTraceId).distinct()).hasSize(2);
  }

  @Test
  void aSpanBeginsWhenItsKeyWasAddedAndSaysWhenTheWorkBegan() {
    try (var _ = traces.begin("a", ABOUT, START, START.plusSeconds(3))) {}

    SpanData span = recorded.spans().getFirst();
    EventData begun = span.getEvents().getFirst();
    assertThat(begun.getName()).isEqualTo("begun");
    assertThat(begun.getEpochNanos() - span.getStartEpochNanos())
        .isEqualTo(TimeUnit.SECONDS.toNanos(3));
    assertThat(span.getAttributes().asMap().toString())
        .contains("mooring.published_resource=certificates");
  }

  @Test
  void aTraceIsSampledAsAWhole() {
    var none = new RecordedTraces(Sampler.alwaysOff());
    var unsampled = new KeyTraces<String>(none.tracing(), "sync");
    for (int pass = 0; pass < 3; pass++) {
      try (var span = unsampled.begin("a", ABOUT, START, START)) {
        assertThat(span.isRecorded()).isFalse();
        assertThat(span.request("GET /")).isSameAs(WorkSpan.NONE);
        assertThat(WorkSpan.current()).isSameAs(span);
      }
    }

    assertThat(none.spans()).isEmpty();
  }

  @Test
  void withoutTracingThereIsOneSpanThatDoesNothing() {
    var off = new KeyTraces<String>(Tracing.OFF, "sync");

    try (var span = off.begin("a", ABOUT, START, START)) {
      assertThat(span).isSameAs(WorkSpan.NONE);
      assertThat(WorkSpan.current()).isSameAs(WorkSpan.NONE);
      assertThat(span.request("GET /")).isSameAs(WorkSpan.NONE);
    }
  }

  private void pass(String key, Instant at) {
    try (var _ = traces.begin(key, ABOUT, at, at)) {}
  }
}
