package dev.mooring.languages;

/** A template that could not be rendered with these values, such as a missing field. */
public final class TemplateFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TemplateFailure(String message) {
    super(message);
  }
}
