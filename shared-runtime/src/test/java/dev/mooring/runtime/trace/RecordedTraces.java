package dev.mooring.runtime.trace;

import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Instant;
import java.util.List;

/** Tracing as the services have it, whose spans stay in memory. */
public final class RecordedTraces {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final Tracing tracing;

  public RecordedTraces() {
    this(Sampler.alwaysOn());
  }

  RecordedTraces(Sampler sampler) {
    var tracer =
        SdkTracerProvider.builder()
            .setSampler(sampler)
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build()
            .get("test");
    this.tracing =
        new Tracing(
            new OtelTracer(tracer, new OtelCurrentTraceContext(), _ -> {}),
            new OtelPropagator(
                ContextPropagators.create(W3CTraceContextPropagator.getInstance()), tracer),
            Instant::now);
  }

  public Tracing tracing() {
    return tracing;
  }

  /** Those that have ended, in the order of their ends. */
  public List<SpanData> spans() {
    return exporter.getFinishedSpanItems();
  }
}
