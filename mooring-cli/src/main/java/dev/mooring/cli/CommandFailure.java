package dev.mooring.cli;

/** Why a command cannot be carried out: one line for the user, and the exit status. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The user's input cannot be used; the message says why, and what to do. */
  public static CommandFailure badInput(String message) {
    return new CommandFailure(ExitCode.BAD_INPUT, message);
  }

  /** What the user names does not exist; the message says where it was looked for. */
  public static CommandFailure notFound(String message) {
    return new CommandFailure(ExitCode.FOUND, message);
  }

  /** A server does not answer, or refuses the request; the message says which, and why. */
  public static CommandFailure unreachable(String message) {
    return new CommandFailure(ExitCode.UNREACHABLE, message);
  }

  int exitCode() {
    return exitCode;
  }
}
