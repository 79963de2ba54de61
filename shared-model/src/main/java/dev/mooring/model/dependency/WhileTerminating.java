package dev.mooring.model.dependency;

/** Whether a dependent that is being deleted itself still counts. */
public enum WhileTerminating implements Named {
  /** It counts until it is gone. */
  BLOCK("Block"),
  /** It counts no more. */
  IGNORE("Ignore");

  private final String text;

  WhileTerminating(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
