package dev.mooring.depcontroller.control;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * For how long kcp has not been heard.
 *
 * @param lasted since it is certain that nothing was missed
 * @param problem who is not heard, and why, if for too long
 */
public record Staleness(Duration lasted, Optional<String> problem) {
  public Staleness {
    Objects.requireNonNull(lasted, "lasted");
    Objects.requireNonNull(problem, "problem");
  }
}
