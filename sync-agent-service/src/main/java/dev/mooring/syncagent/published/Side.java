package dev.mooring.syncagent.published;

/** One of the two clusters that objects are synced between. */
public enum Side {
  KCP("kcp"),
  SERVICE("service");

  private final String text;

  Side(String text) {
    this.text = text;
  }

  /** As templates and {@code spec.related} write it. */
  public String text() {
    return text;
  }

  public Side other() {
    return this == KCP ? SERVICE : KCP;
  }
}
