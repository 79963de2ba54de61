package dev.mooring.model.dependency;

/**
 * Whether a reference needs something to refer to: {@code requireTarget} of a dependency. Asked
 * only under {@link RaceProtection#STRICT}.
 */
public enum TargetRequirement {
  /** A reference to nothing is let in. */
  MAY_BE_ABSENT,
  /** A reference to nothing is refused. */
  MUST_EXIST
}
