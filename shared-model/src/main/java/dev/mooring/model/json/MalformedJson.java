package dev.mooring.model.json;

/** Text that is not the JSON that was asked for. The message says why; it never quotes the text. */
public final class MalformedJson extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedJson(String message) {
    super(message);
  }
}
