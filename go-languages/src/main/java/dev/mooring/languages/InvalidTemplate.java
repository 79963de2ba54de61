package dev.mooring.languages;

/** A template that can never work: the message says where and why. */
public final class InvalidTemplate extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidTemplate(String message) {
    super(message);
  }
}
