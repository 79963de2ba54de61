package dev.mooring.runtime.trace;

import io.micrometer.core.instrument.MeterRegistry;

/** Where a service's meters and traces go. */
public record Telemetry(MeterRegistry meters, Tracing tracing) {}
