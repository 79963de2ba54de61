package dev.mooring.depwebhook.race.decide;

/** Something happened that the protocol rules out. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what, World world) {
    super(what + " in " + world);
  }
}
