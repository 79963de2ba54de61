package dev.mooring.runtime.watch;

/** There is no room for an object. */
final class CacheFull extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CacheFull() {
    super("there is no room for another object", null, false, false);
  }
}
