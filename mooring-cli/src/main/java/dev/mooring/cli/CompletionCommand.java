package dev.mooring.cli;

import java.io.PrintWriter;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring completion}: a script that a shell sources. */
@Command(
    name = "completion",
    description = "Prints the script that completes commands and options in a shell.",
    footer = {
      "%nExamples:",
      "  source <(mooring completion bash)",
      "  mooring completion zsh > ~/.mooring-completion && source ~/.mooring-completion",
      "  mooring completion fish > ~/.config/fish/completions/mooring.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  /** Shells that can complete. */
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine program = MooringProgram.commandLine();
    PrintWriter out = spec.commandLine().getOut();
    switch (shell) {
      // In zsh the script loads bashcompinit.
      case bash, zsh -> out.print(AutoComplete.bash("mooring", program));
      case fish -> fish(program, out);
    }
    out.flush();
    return ExitCode.OK;
  }

  private static void fish(CommandLine program, PrintWriter out) {
    program
        .getSubcommands()
        .forEach((name, command) -> {
          out.println(fish("__fish_use_subcommand", name, command));
          fish(command, "'" + seen(program, name), out);
        });
  }

  /**
   * @param condition that the command and those above it were typed, with an opening quote
   */
  private static void fish(CommandLine command, String condition, PrintWriter out) {
    Set<String> names = command.getSubcommands().keySet();
    String none =
        names.isEmpty()
            ? condition
            : condition + "; and not __fish_seen_subcommand_from " + String.join(" ", names);
    command
        .getSubcommands()
        .forEach((name, nested) -> {
          out.println(fish(none + "'", name, nested));
          fish(nested, condition + "; and __fish_seen_subcommand_from " + name, out);
        });
    command.getCommandSpec().options().forEach(option -> out.println(fish(none + "'", option)));
  }

  /** A name that stands below another command as well counts only without that one. */
  private static String seen(CommandLine program, String name) {
    String others =
        program.getSubcommands().entrySet().stream()
            .filter(group -> group.getValue().getSubcommands().containsKey(name))
            .map(group -> "; and not __fish_seen_subcommand_from " + group.getKey())
            .collect(Collectors.joining());
    return "__fish_seen_subcommand_from " + name + others;
  }

  private static String fish(String condition, String name, CommandLine command) {
    return "complete -c mooring -n %s -f -a %s -d '%s'"
        .formatted(condition, name, summary(command.getCommandSpec().usageMessage().description()));
  }

  private static String fish(String condition, OptionSpec option) {
    var line = new StringBuilder("complete -c mooring -n ").append(condition);
    for (String name : option.names()) {
      line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (option.arity().max() > 0) {
      line.append(" -r");
      if (option.completionCandidates() != null) {
        line.append(" -f -a '")
            .append(String.join(" ", option.completionCandidates()))
            .append('\'');
      }
    }
    return line.append(" -d '").append(summary(option.description())).append('\'').toString();
  }

  private static String summary(String[] description) {
    return description.length == 0 ? "" : description[0].replace("'", "\\'");
  }
}
