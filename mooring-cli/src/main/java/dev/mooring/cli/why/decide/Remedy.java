package dev.mooring.cli.why.decide;

/**
 * What to do about a cause.
 *
 * @param object to change; empty if there is nothing to change
 * @param fix in words
 * @param command as that person types it; empty if there is none
 */
public record Remedy(Who who, String object, String fix, String command) {
  /** Who has the rights to change the object; in lower case, as users read it. */
  public enum Who {
    /** Owns the object and its workspace. */
    consumer,
    /** Offers the API: owns APIExport, PublishedResource, service cluster or DependencyRule. */
    provider,
    /** Operates kcp, the dependency controller and the dependency webhook. */
    platform,
    none
  }

  /** Nothing is to be corrected. */
  static Remedy none(String fix) {
    return new Remedy(Who.none, "", fix, "");
  }

  public boolean isNeeded() {
    return who != Who.none;
  }
}
