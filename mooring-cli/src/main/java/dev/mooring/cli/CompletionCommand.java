package dev.mooring.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring completion}: a script that a shell sources. */
@Command(
    name = "completion",
    description = "Prints the script that completes commands and options in a shell.",
    footer = {
      "%nExamples:",
      "  source <(mooring completion bash)",
      "  mooring completion zsh > ~/.mooring-completion && source ~/.mooring-completion"
    })
final class CompletionCommand implements Callable<Integer> {
  /** Shells that can complete. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine program = MooringProgram.commandLine();
    PrintWriter out = spec.commandLine().getOut();
    // In zsh the script loads bashcompinit.
    out.print(AutoComplete.bash("mooring", program));
    out.flush();
    return ExitCode.OK;
  }
}
