package dev.mooring.sandbox.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The sandbox as a program, with the options of kcp that make sense here. */
@Command(
    name = "kcp-sandbox",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = SandboxProgram.Version.class,
    usageHelpAutoWidth = true,
    subcommands = StartCommand.class,
    description = "A kcp-compatible API server in one process.")
public final class SandboxProgram {
  private SandboxProgram() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SandboxProgram())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(SandboxProgram::wrongUsage);
  }

  private static int wrongUsage(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    command
        .getErr()
        .println(
            "kcp-sandbox: %s; see %s --help"
                .formatted(failure.getMessage(), command.getCommandSpec().qualifiedName()));
    return CommandLine.ExitCode.USAGE;
  }

  /** As the build wrote it into the program's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = SandboxProgram.class.getPackage().getImplementationVersion();
      return new String[] {"kcp-sandbox " + (version == null ? "(not packaged)" : version)};
    }
  }
}
