package dev.mooring.runtime.trace;

import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Begins traces where work begins; what the work does then is found by its thread, as {@link
 * WorkSpan#current}. Thread-safe.
 */
public final class Tracing {
  /** Begins no trace, and costs nothing. */
  public static final Tracing OFF = new Tracing(Tracer.NOOP, Propagator.NOOP, () -> Instant.EPOCH);

  private final Tracer tracer;
  private final Propagator propagator;
  private final InstantSource clock;

  /**
   * @param clock for points in time that others read
   */
  public Tracing(Tracer tracer, Propagator propagator, InstantSource clock) {
    this.tracer = tracer;
    this.propagator = propagator;
    this.clock = clock;
  }

  /** A header of a request. */
  @FunctionalInterface
  public interface Headers {
    /** Null if there is none. */
    @Nullable String get(String name);
  }

  boolean isOff() {
    return this == OFF;
  }

  /** Work for a request, in the trace that its headers name; in a new one if they name none. */
  public WorkSpan received(String name, Headers headers) {
    if (isOff()) {
      return WorkSpan.NONE;
    }
    return open(
        propagator
            .<Headers>extract(headers, (from, header) -> from == null ? null : from.get(header))
            .name(name)
            .kind(Span.Kind.SERVER));
  }

  /**
   * Work that waited.
   *
   * @param within the trace that it belongs to; empty for a new one
   * @param after another trace that it links to
   */
  WorkSpan waited(
      String name, Duration wait, Optional<TraceContext> within, Optional<TraceContext> after) {
    Span.Builder builder = tracer.spanBuilder().name(name);
    within.ifPresentOrElse(builder::setParent, builder::setNoParent);
    after.map(Link::new).ifPresent(builder::addLink);
    Instant begun = clock.instant();
    builder.startTimestamp(micros(begun.minus(wait)), TimeUnit.MICROSECONDS);
    WorkSpan span = open(builder);
    span.begun(micros(begun));
    return span;
  }

  WorkSpan child(String name, Span.Kind kind) {
    return open(tracer.spanBuilder().name(name).kind(kind));
  }

  /** Without the span's content, which would be kept as long. */
  TraceContext reference(TraceContext context) {
    return tracer
        .traceContextBuilder()
        .traceId(context.traceId())
        .spanId(context.spanId())
        .sampled(context.sampled())
        .build();
  }

  Tracer.SpanInScope enter(Span span) {
    return tracer.withSpan(span);
  }

  <C> void inject(Span span, C carrier, Propagator.Setter<C> setter) {
    propagator.inject(span.context(), carrier, setter);
  }

  private WorkSpan open(Span.Builder builder) {
    return WorkSpan.open(this, builder.start());
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
