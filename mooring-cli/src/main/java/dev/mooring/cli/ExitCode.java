package dev.mooring.cli;

/** Exit statuses of {@code mooring}; {@code mooring --help} lists them. */
public final class ExitCode {
  public static final int OK = 0;

  /** The command ran and reports errors, breaking changes or failed checks. */
  public static final int FOUND = 1;

  public static final int BAD_INPUT = 2;

  /** A server cannot be reached, or refuses the request. */
  public static final int UNREACHABLE = 3;

  /** A defect of the program. */
  public static final int DEFECT = 4;

  private ExitCode() {}
}
