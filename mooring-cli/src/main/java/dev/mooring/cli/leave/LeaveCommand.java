package dev.mooring.cli.leave;

import dev.mooring.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code mooring leave}. */
@Command(
    name = "leave",
    description = "Takes the sync agent or dependency protection out, step by step.",
    subcommands = {LeaveAgentCommand.class, LeaveProtectionCommand.class},
    footer = {
      "%nExamples:",
      "  mooring leave protection --context kcp --workspace root:dependencies",
      "  mooring leave agent --copies keep --endpoint-slice certs --service-context service --yes"
    })
public final class LeaveCommand extends CommandGroup {}
