package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.GuardSettings;

/**
 * The settings of webhook configurations. Throws {@link IllegalStateException} while unreadable.
 */
@FunctionalInterface
public interface GuardSettingsSource {
  GuardSettings current();
}
