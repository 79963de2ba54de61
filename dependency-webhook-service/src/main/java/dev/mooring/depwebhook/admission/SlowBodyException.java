package dev.mooring.depwebhook.admission;

import java.io.IOException;

/** The body of a review did not come in the time in which an API server sends one. */
public final class SlowBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  SlowBodyException(int bytes) {
    super("only " + bytes + " bytes of the review came within the time for its body");
  }
}
