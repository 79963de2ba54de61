package dev.mooring.syncagent.published;

import java.util.Locale;

/** One of the two clusters that objects are synced between. */
public enum Side {
  KCP,
  SERVICE;

  /** As templates and {@code spec.related} write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Side other() {
    return this == KCP ? SERVICE : KCP;
  }
}
