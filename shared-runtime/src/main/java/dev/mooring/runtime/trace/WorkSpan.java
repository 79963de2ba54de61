package dev.mooring.runtime.trace;

import dev.mooring.runtime.log.LogFields;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A part of a trace, from its opening to its close: on the thread that opened it, log lines and
 * exemplars name it, and requests become its children. Attributes are identifiers and outcomes,
 * never content of objects; the exporter cuts long ones.
 *
 * <p>Closed by the thread that opened it; all else is thread-safe.
 */
public final class WorkSpan implements AutoCloseable {
  /** Of work that is not traced: everything is without effect. */
  public static final WorkSpan NONE = new WorkSpan(Tracing.OFF, Span.NOOP, null, () -> {});

  private static final ThreadLocal<@Nullable WorkSpan> CURRENT = new ThreadLocal<>();

  private final Tracing tracing;
  private final Span span;
  private final @Nullable WorkSpan outer;
  private final Tracer.SpanInScope scope;

  private WorkSpan(Tracing tracing, Span span, @Nullable WorkSpan outer, Tracer.SpanInScope scope) {
    this.tracing = tracing;
    this.span = span;
    this.outer = outer;
    this.scope = scope;
  }

  static WorkSpan open(Tracing tracing, Span span) {
    var opened = new WorkSpan(tracing, span, CURRENT.get(), tracing.enter(span));
    CURRENT.set(opened);
    return opened;
  }

  /** The innermost open span of this thread. */
  public static WorkSpan current() {
    WorkSpan open = CURRENT.get();
    return open == null ? NONE : open;
  }

  /** The same work with the span and the log fields of the calling thread, for another thread. */
  public static Runnable carry(Runnable work) {
    WorkSpan open = CURRENT.get();
    return LogFields.carry(open == null ? work : () -> open.during(work));
  }

  private void during(Runnable work) {
    WorkSpan before = CURRENT.get();
    CURRENT.set(this);
    try (var _ = tracing.enter(span)) {
      work.run();
    } finally {
      CURRENT.set(before);
    }
  }

  /**
   * Whether attributes and children are kept: not without tracing, or if the trace is not sampled.
   */
  public boolean isRecorded() {
    return !span.isNoop();
  }

  /** A request of this work to another process. */
  public WorkSpan request(String name) {
    return isRecorded() ? tracing.child(name, Span.Kind.CLIENT) : NONE;
  }

  public WorkSpan tag(String name, String value) {
    span.tag(name, value);
    return this;
  }

  public WorkSpan tag(String name, long value) {
    span.tag(name, value);
    return this;
  }

  /** The fields of its log lines, as attributes. */
  public WorkSpan about(LogFields fields) {
    if (isRecorded()) {
      fields.forEach(span::tag);
    }
    return this;
  }

  /**
   * Marks it as failed.
   *
   * @param why from a small set; a message may quote what an object contains
   */
  public void failed(String why) {
    if (isRecorded()) {
      span.tag("error.type", why);
      span.error(new Failure(why));
    }
  }

  /** Sets a header of a request. */
  @FunctionalInterface
  public interface HeaderSetter<C> {
    void set(C request, String name, String value);
  }

  /** Has the receiver of a request continue the trace, or leave it out as well. */
  public <C> void propagate(C request, HeaderSetter<C> setter) {
    if (this != NONE) {
      tracing.inject(span, request, (_, name, value) -> setter.set(request, name, value));
    }
  }

  TraceContext context() {
    return span.context();
  }

  void begun(long epochMicros) {
    span.event("begun", epochMicros, TimeUnit.MICROSECONDS);
  }

  @Override
  public void close() {
    if (this != NONE) {
      scope.close();
      CURRENT.set(outer);
      span.end();
    }
  }

  /** What a span says of a failure. */
  private static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure(String why) {
      super(why, null, false, false);
    }
  }
}
