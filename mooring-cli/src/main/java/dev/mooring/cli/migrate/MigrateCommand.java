package dev.mooring.cli.migrate;

import dev.mooring.cli.CommandGroup;
import dev.mooring.cli.migrate.agent.AgentCheckCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code mooring migrate}: from api-syncagent. */
@Command(
    name = "migrate",
    description = "Says what it takes to replace api-syncagent.",
    subcommands = MigrateCommand.Check.class,
    footer = {
      "%nExample:",
      "  mooring migrate check api-syncagent --kcp-kubeconfig=kcp.kubeconfig"
          + " --apiexportendpointslice-ref=certs --namespace=kcp-system"
    })
public final class MigrateCommand extends CommandGroup {
  /** {@code mooring migrate check}: nothing is written. */
  @Command(
      name = "check",
      description = "Reports what a take-over of a running Go program changes; writes nothing.",
      subcommands = AgentCheckCommand.class,
      footer = {
        "%nExample:",
        "  mooring migrate check api-syncagent --kcp-kubeconfig=kcp.kubeconfig"
            + " --apiexportendpointslice-ref=certs --namespace=kcp-system"
      })
  static final class Check extends CommandGroup {}

  /** What the check itself does not know is a flag of the Go program. */
  public static CommandLine commandLine() {
    var migrate = new CommandLine(new MigrateCommand());
    migrate
        .getSubcommands()
        .values()
        .forEach(each ->
            each.setUnmatchedOptionsArePositionalParams(each.getCommand() instanceof Check));
    return migrate;
  }
}
