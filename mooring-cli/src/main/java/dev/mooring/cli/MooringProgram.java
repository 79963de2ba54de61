package dev.mooring.cli;

import dev.mooring.cli.demo.DemoCommand;
import dev.mooring.cli.diff.DiffCommand;
import dev.mooring.cli.graph.GraphCommand;
import dev.mooring.cli.leave.LeaveCommand;
import dev.mooring.cli.lint.LintCommand;
import dev.mooring.cli.migrate.MigrateCommand;
import dev.mooring.cli.render.RenderCommand;
import dev.mooring.cli.resync.ResyncCommand;
import dev.mooring.cli.size.SizeCommand;
import dev.mooring.cli.status.StatusCommand;
import dev.mooring.cli.why.BlockersCommand;
import dev.mooring.cli.why.WhyCommand;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.sandbox.server.StartCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

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
public final class MooringProgram extends CommandGroup {
  /** With this environment variable set, a defect is shown with its stack trace. */
  private static final String DEBUG = "MOORING_DEBUG";

  private static final Set<String> VERSION = Set.of("--version", "-V");

  private MooringProgram() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "mooring-logback.xml");
    System.exit(
        commandLine(wanted(args))
            .setOut(utf8(FileDescriptor.out))
            .setErr(utf8(FileDescriptor.err))
            .execute(args));
  }

  public static CommandLine commandLine() {
    return commandLine(commands().keySet());
  }

  private static Map<String, Supplier<?>> commands() {
    var commands = new LinkedHashMap<String, Supplier<?>>();
    commands.put("lint", LintCommand::new);
    commands.put("render", RenderCommand::new);
    commands.put("diff", DiffCommand::new);
    commands.put("graph", GraphCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("resync", ResyncCommand::new);
    commands.put("why", WhyCommand::new);
    commands.put("blockers", BlockersCommand::new);
    commands.put("migrate", MigrateCommand::commandLine);
    commands.put("leave", LeaveCommand::new);
    commands.put("size", SizeCommand::new);
    commands.put("demo", DemoCommand::new);
    commands.put("sandbox", MooringProgram::sandbox);
    commands.put("completion", CompletionCommand::new);
    return commands;
  }

  /** To make the options of all commands takes longer than most commands do. */
  static Set<String> wanted(String... args) {
    Set<String> all = commands().keySet();
    if (args.length == 0) {
      return all;
    }
    return all.contains(args[0]) || VERSION.contains(args[0]) ? Set.of(args[0]) : all;
  }

  static CommandLine commandLine(Set<String> wanted) {
    var program = new CommandLine(new MooringProgram());
    program
        .getCommandSpec()
        .usageMessage()
        .description("Checks, shows and explains what Mooring does, offline or on a kcp.");
    commands()
        .forEach((name, command) -> {
          if (wanted.contains(name)) {
            program.addSubcommand(name, command.get());
          }
        });
    return program
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(MooringProgram::wrongUsage)
        .setExecutionExceptionHandler((failure, command, _) -> failed(failure, command));
  }

  private static CommandLine sandbox() {
    var sandbox = new CommandLine(new StartCommand());
    sandbox
        .getCommandSpec()
        .name("sandbox")
        .usageMessage()
        .description("Starts a kcp-compatible API server and serves until the process ends.")
        .footer("%nExample:%n  mooring sandbox --root-directory .kcp");
    return sandbox;
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
