package dev.mooring.sandbox.junit;

/** Goes with the failure of a test, and so into every report: where its workspaces are. */
final class KeptWorkspaces extends Exception {
  private static final long serialVersionUID = 1L;

  KeptWorkspaces(String message) {
    super(message, null, false, false);
  }

  @Override
  public String toString() {
    return String.valueOf(getMessage());
  }
}
