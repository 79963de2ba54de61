package dev.mooring.sandbox.storage;

/** The store ended a watch; the reader has to list again. */
public final class WatchClosed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WatchClosed(String message) {
    super(message);
  }
}
