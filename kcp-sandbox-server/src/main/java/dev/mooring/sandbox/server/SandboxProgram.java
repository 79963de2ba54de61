package dev.mooring.sandbox.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The sandbox as a program, with the options of kcp that make sense here. */
@Command(
    name = "kcp-sandbox",
    mixinStandardHelpOptions = true,
    subcommands = StartCommand.class,
    description = "A kcp-compatible API server in one process.")
public final class SandboxProgram {
  private SandboxProgram() {}

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new SandboxProgram())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }
}
