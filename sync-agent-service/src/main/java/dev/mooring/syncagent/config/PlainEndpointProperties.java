package dev.mooring.syncagent.config;

import jakarta.validation.constraints.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Where metrics and probes are served over plain HTTP in addition to the service's own endpoints.
 *
 * @param metricsAddress host:port that serves /metrics; empty or 0 for none. Default is none; with
 *     the Go agent's flags it is 127.0.0.1:8085.
 * @param healthAddress host:port that serves /healthz and /readyz; empty or 0 for none.
 */
@Validated
@ConfigurationProperties("mooring.sync-agent")
record PlainEndpointProperties(
    @Pattern(regexp = ADDRESS, message = MESSAGE) @DefaultValue("") String metricsAddress,
    @Pattern(regexp = ADDRESS, message = MESSAGE) @DefaultValue("") String healthAddress) {
  private static final String ADDRESS = "|0|[^/]*:[0-9]{1,5}";
  private static final String MESSAGE = "must be host:port, :port, or 0 for none";
}
