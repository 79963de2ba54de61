package dev.mooring.runtime.trace;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.runtime.log.LogFields;
import io.micrometer.tracing.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The traces of a queue's keys. A change usually takes several passes over its key, since a write's
 * event brings the next one: passes with less than {@link #GAP_MAX} between them are one trace, for
 * {@link #TRACE_MAX} at most. Another trace of the key links to the one before. Thread-safe, for
 * keys that are worked on by one thread at a time.
 *
 * @param <K> the key
 */
public final class KeyTraces<K> {
  /** Servers and their controllers usually answer a write within it. */
  static final Duration GAP_MAX = Duration.ofSeconds(30);

  /** A key that never settles would make a trace that nothing can show. */
  static final Duration TRACE_MAX = Duration.ofMinutes(5);

  /** A key and its trace are some hundred bytes. */
  private static final int KEYS_MAX = 10_000;

  private final Tracing tracing;
  private final String name;
  private final Cache<K, Trace> traces = CacheBuilder.newBuilder().maximumSize(KEYS_MAX).build();

  /**
   * @param root its first pass
   * @param lastPass when the last one so far began
   */
  private record Trace(TraceContext root, Instant begun, Instant lastPass) {
    boolean goesOn(Instant now) {
      return Duration.between(lastPass, now).compareTo(GAP_MAX) < 0
          && Duration.between(begun, now).compareTo(TRACE_MAX) < 0;
    }

    boolean isSampled() {
      return Boolean.TRUE.equals(root.sampled());
    }
  }

  /**
   * @param name of the spans
   */
  public KeyTraces(Tracing tracing, String name) {
    this.tracing = tracing;
    this.name = name;
  }

  /**
   * The span of a pass, from when the key was added.
   *
   * @param added when it was, and {@code now}, by a clock that never goes back
   */
  public WorkSpan begin(K key, LogFields about, Instant added, Instant now) {
    if (tracing.isOff()) {
      return WorkSpan.NONE;
    }
    Optional<Trace> last = Optional.ofNullable(traces.getIfPresent(key));
    Optional<Trace> same = last.filter(trace -> trace.goesOn(added));
    Optional<Trace> former = same.isPresent() ? Optional.empty() : last.filter(Trace::isSampled);
    WorkSpan pass =
        tracing.waited(
            name, Duration.between(added, now), same.map(Trace::root), former.map(Trace::root));
    traces.put(
        key,
        same.map(trace -> new Trace(trace.root(), trace.begun(), now))
            .orElseGet(() -> new Trace(tracing.reference(pass.context()), now, now)));
    return pass.about(about);
  }
}
