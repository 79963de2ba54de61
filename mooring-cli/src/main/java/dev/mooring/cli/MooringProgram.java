package dev.mooring.cli;

import dev.mooring.cli.check.CheckCommand;
import dev.mooring.cli.demo.DemoCommand;
import dev.mooring.cli.diff.DiffCommand;
import dev.mooring.cli.graph.GraphCommand;
import dev.mooring.cli.leave.LeaveCommand;
import dev.mooring.cli.lint.LintCommand;
import dev.mooring.cli.migrate.MigrateCommand;
import dev.mooring.cli.render.RenderCommand;
import dev.mooring.cli.resync.ResyncCommand;
import dev.mooring.cli.status.StatusCommand;
import dev.mooring.cli.why.BlockersCommand;
import dev.mooring.cli.why.WhyCommand;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.sandbox.server.StartCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of Mooring: one subcommand for each task. */
@Command(
    name = "mooring",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = MooringProgram.Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:success, and nothing to report",
      "1:errors, breaking changes or failed checks are reported",
      "2:a wrong option, or input that cannot be used",
      "3:a server cannot be reached, or refuses the request",
      "4:a defect of this program"
    })
public final class MooringProgram implements Runnable {
  /** With this environment variable set, a defect is shown with its stack trace. */
  private static final String DEBUG = "MOORING_DEBUG";

  @Spec private CommandSpec spec;

  private MooringProgram() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "mooring-logback.xml");
    System.exit(
        commandLine()
            .setOut(utf8(FileDescriptor.out))
            .setErr(utf8(FileDescriptor.err))
            .execute(args));
  }

  public static CommandLine commandLine() {
    var program = new CommandLine(new MooringProgram());
    program
        .getCommandSpec()
        .usageMessage()
        .description("Checks, shows and explains what Mooring does, offline or on a kcp.");
    program.addSubcommand(new LintCommand());
    program.addSubcommand(new RenderCommand());
    program.addSubcommand(new DiffCommand());
    program.addSubcommand(new GraphCommand());
    program.addSubcommand(new StatusCommand());
    program.addSubcommand(new ResyncCommand());
    program.addSubcommand(new WhyCommand());
    program.addSubcommand(new BlockersCommand());
    program.addSubcommand(MigrateCommand.commandLine());
    program.addSubcommand(new LeaveCommand());
    program.addSubcommand(new DemoCommand());
    program.addSubcommand(new CheckCommand());
    var sandbox = new CommandLine(new StartCommand());
    sandbox
        .getCommandSpec()
        .name("sandbox")
        .usageMessage()
        .description("Starts a kcp-compatible API server and serves until the process ends.")
        .footer("%nExample:%n  mooring sandbox --root-directory .kcp");
    program.addSubcommand(sandbox);
    program.addSubcommand(new CompletionCommand());
    return program
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(MooringProgram::wrongUsage)
        .setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
  }

  /** Without a subcommand. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static int wrongUsage(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    say(
        command,
        failure.getMessage() + "; see " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.BAD_INPUT;
  }

  private static int failed(Exception failure, CommandLine command) throws Exception {
    if (failure instanceof CommandFailure expected) {
      say(command, String.valueOf(expected.getMessage()));
      return expected.exitCode();
    }
    if (failure instanceof KubeFailure refused) {
      say(command, refused.getMessage());
      return ExitCode.UNREACHABLE;
    }
    if (System.getenv(DEBUG) != null) {
      throw failure;
    }
    say(
        command,
        "this is a defect, please report it: "
            + Objects.requireNonNullElse(failure.getMessage(), failure.getClass().getName())
            + " (with "
            + DEBUG
            + "=1 set, the command prints where)");
    return ExitCode.DEFECT;
  }

  private static void say(CommandLine command, String message) {
    command.getOut().flush();
    command.getErr().println("mooring: " + message.replaceAll("\\s*\\R\\s*", " "));
    command.getErr().flush();
  }

  /** Arrows and check marks need UTF-8 in every locale. */
  private static PrintWriter utf8(FileDescriptor stream) {
    return new PrintWriter(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
  }

  /** As the build wrote it into the program's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = MooringProgram.class.getPackage().getImplementationVersion();
      return new String[] {"mooring " + (version == null ? "(not packaged)" : version)};
    }
  }
}
