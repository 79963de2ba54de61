package dev.mooring.depcontroller.control;

import java.time.Duration;
import java.util.Optional;

/**
 * How old the controller's knowledge of kcp may be.
 *
 * @param lasted since everything was certainly up to date
 * @param problem which shard and type are stale, and why; empty below the limit
 */
public record Staleness(Duration lasted, Optional<String> problem) {}
