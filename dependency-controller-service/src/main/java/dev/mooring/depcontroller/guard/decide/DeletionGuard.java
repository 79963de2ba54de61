package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.RaceProtection;
import java.util.Objects;

/**
 * How deletions of one resource are guarded: as the strictest of its rules wants.
 *
 * @param force whether a deletion needs the webhook's answer
 * @param bypass whether the API server itself lets annotated objects go
 * @param race whether reviews write to the race register
 */
public record DeletionGuard(Force force, Bypass bypass, RaceProtection race) {
  /** Of rules that refuse nothing: the webhook decides about bypasses, and nothing is recorded. */
  static final DeletionGuard ADVISORY =
      new DeletionGuard(Force.ADVISORY, Bypass.ANNOTATION, RaceProtection.NONE);

  /** Whether a deletion needs the webhook's answer; strictest last. */
  public enum Force {
    /** No rule refuses it: while the webhook is away it goes ahead. */
    ADVISORY,
    /** It may have to be refused. */
    BINDING
  }

  public DeletionGuard {
    Objects.requireNonNull(force, "force");
    Objects.requireNonNull(bypass, "bypass");
    Objects.requireNonNull(race, "race");
  }

  /** Of rules that refuse. */
  public DeletionGuard(Bypass bypass, RaceProtection race) {
    this(Force.BINDING, bypass, race);
  }

  /** What a rule that is enforced so needs. */
  public static DeletionGuard of(Enforcement enforcement) {
    return switch (enforcement.mode()) {
      case DENY -> new DeletionGuard(enforcement.bypass(), enforcement.raceProtection());
      case WARN, AUDIT -> ADVISORY;
    };
  }

  /** Whether it is at least as strict as another one, in everything. */
  boolean covers(DeletionGuard other) {
    return strictest(other).equals(this);
  }

  DeletionGuard strictest(DeletionGuard other) {
    return new DeletionGuard(
        force.compareTo(other.force) >= 0 ? force : other.force,
        bypass.compareTo(other.bypass) >= 0 ? bypass : other.bypass,
        race.compareTo(other.race) >= 0 ? race : other.race);
  }
}
