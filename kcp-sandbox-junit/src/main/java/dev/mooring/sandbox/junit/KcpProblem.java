package dev.mooring.sandbox.junit;

import org.jspecify.annotations.Nullable;

/** What keeps a test from getting its kcp or its workspaces, and what to do about it. */
public final class KcpProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KcpProblem(String message) {
    super(message);
  }

  KcpProblem(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
