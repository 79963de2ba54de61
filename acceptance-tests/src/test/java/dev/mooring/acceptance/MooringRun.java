package dev.mooring.acceptance;

import dev.mooring.cli.MooringProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** What a command printed, and its exit status. */
record MooringRun(int status, String out, String err) {
  static MooringRun of(List<String> arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine program = MooringProgram.commandLine();
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = program.execute(arguments.toArray(String[]::new));
    return new MooringRun(status, out.toString(), err.toString());
  }
}
