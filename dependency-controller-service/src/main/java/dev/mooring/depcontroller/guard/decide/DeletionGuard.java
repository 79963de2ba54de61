package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.RaceProtection;

/**
 * How deletions of one resource are guarded: the strictest of its rules decides.
 *
 * @param effect whether a deletion needs the webhook's answer
 * @param bypass whether the API server itself allows deletions of annotated objects
 * @param race whether reviews write to the race register
 */
public record DeletionGuard(Effect effect, Bypass bypass, RaceProtection race) {
  /** Of rules that deny nothing: the webhook decides on bypasses, and records nothing. */
  static final DeletionGuard WARNING =
      new DeletionGuard(Effect.WARN, Bypass.ANNOTATION, RaceProtection.NONE);

  /** What the rules of a resource can do to a deletion; strictest last. */
  public enum Effect {
    /** They warn of it or audit it: it goes ahead while the webhook is not reachable. */
    WARN,
    /** They may deny it: it waits for the webhook's answer. */
    DENY
  }

  /** Of rules that deny. */
  public DeletionGuard(Bypass bypass, RaceProtection race) {
    this(Effect.DENY, bypass, race);
  }

  /** What a rule needs that is enforced like this. */
  public static DeletionGuard of(Enforcement enforcement) {
    return switch (enforcement.mode()) {
      case DENY -> new DeletionGuard(enforcement.bypass(), enforcement.raceProtection());
      case WARN, AUDIT -> WARNING;
    };
  }

  /** Whether it may deny deletions, with this bypass. */
  boolean denies(Bypass by) {
    return effect == Effect.DENY && bypass == by;
  }

  /** Whether it is at least as strict as another one, in everything. */
  boolean covers(DeletionGuard other) {
    return strictest(other).equals(this);
  }

  DeletionGuard strictest(DeletionGuard other) {
    return new DeletionGuard(
        effect.compareTo(other.effect) >= 0 ? effect : other.effect,
        bypass.compareTo(other.bypass) >= 0 ? bypass : other.bypass,
        race.compareTo(other.race) >= 0 ? race : other.race);
  }
}
