package dev.mooring.depwebhook.admission.decide;

/** What the entry of a configuration that asks makes of a review that cannot be judged. */
public enum Force {
  /** It is refused: a rule may forbid what it is about. */
  BINDING,
  /**
   * It is let go with a warning: no rule forbade what it is about when the entry was written. A
   * rule that is known to forbid it by now is newer than the entry, and refuses here as well.
   */
  ADVISORY
}
