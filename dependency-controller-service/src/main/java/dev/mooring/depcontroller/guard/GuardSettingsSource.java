package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.GuardSettings;

/**
 * How configurations are to look now. May fail, saying what cannot be read; then nothing is
 * written.
 */
@FunctionalInterface
public interface GuardSettingsSource {
  GuardSettings current();
}
