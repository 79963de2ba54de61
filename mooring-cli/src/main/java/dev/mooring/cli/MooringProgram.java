package dev.mooring.cli;

import dev.mooring.cli.check.CheckCommand;
import dev.mooring.cli.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of Mooring: one subcommand for each thing that a user does by hand. */
@Command(
    name = "mooring",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Shows and checks Mooring on this machine or on a kcp.",
    subcommands = {DemoCommand.class, CheckCommand.class})
public final class MooringProgram {
  private MooringProgram() {}

  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "mooring-logback.xml");
    System.exit(new CommandLine(new MooringProgram()).execute(args));
  }
}
