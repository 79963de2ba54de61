package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.RaceProtection;
import java.util.Objects;

/**
 * How deletions of one resource are guarded: as the strictest of its rules wants.
 *
 * @param bypass whether the API server itself lets annotated objects go
 * @param race whether reviews write to the race register
 */
public record DeletionGuard(Bypass bypass, RaceProtection race) {
  public DeletionGuard {
    Objects.requireNonNull(bypass, "bypass");
    Objects.requireNonNull(race, "race");
  }

  static DeletionGuard of(Enforcement enforcement) {
    return new DeletionGuard(enforcement.bypass(), enforcement.raceProtection());
  }

  DeletionGuard strictest(DeletionGuard other) {
    return new DeletionGuard(
        bypass.compareTo(other.bypass) >= 0 ? bypass : other.bypass,
        race.compareTo(other.race) >= 0 ? race : other.race);
  }
}
