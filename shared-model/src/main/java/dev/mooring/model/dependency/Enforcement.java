package dev.mooring.model.dependency;

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
}
