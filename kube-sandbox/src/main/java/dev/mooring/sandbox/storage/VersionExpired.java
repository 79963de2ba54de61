package dev.mooring.sandbox.storage;

/** A list or watch asked for a version that is no longer held. */
public final class VersionExpired extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public VersionExpired(long asked, long oldest) {
    super("too old resource version: " + asked + " (" + oldest + ")");
  }
}
