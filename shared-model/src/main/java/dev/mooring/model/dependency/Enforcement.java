package dev.mooring.model.dependency;

import java.util.Objects;

/** How strictly a rule is enforced. */
public record Enforcement(
    Mode mode,
    WhileTerminating whileTerminating,
    Bypass bypass,
    Consistency consistency,
    RaceProtection raceProtection) {
  /** Of a rule that says nothing about it, as the Go program's rules do not. */
  public static final Enforcement DEFAULT =
      new Enforcement(
          Mode.DENY,
          WhileTerminating.BLOCK,
          Bypass.ANNOTATION,
          Consistency.STRICT,
          RaceProtection.NONE);

  public Enforcement {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(whileTerminating, "whileTerminating");
    Objects.requireNonNull(bypass, "bypass");
    Objects.requireNonNull(consistency, "consistency");
    Objects.requireNonNull(raceProtection, "raceProtection");
  }
}
