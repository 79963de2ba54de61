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
    provideCarriers();
    System.exit(
        new CommandLine(new SandboxProgram())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  /**
   * With one carrier per processor, as the JDK has them, virtual threads that wait in the loading
   * of a class stop all others on a small machine. 64 cost 1,000 watchers no time, 256 do.
   */
  private static void provideCarriers() {
    String property = "jdk.virtualThreadScheduler.parallelism";
    if (System.getProperty(property) == null) {
      System.setProperty(property, "64");
    }
  }
}
