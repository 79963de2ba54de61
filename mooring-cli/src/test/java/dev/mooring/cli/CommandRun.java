package dev.mooring.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** What a command printed, and its exit status. */
public record CommandRun(int status, String out, String err) {
  public static CommandRun of(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine program = MooringProgram.commandLine();
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = program.execute(arguments);
    return new CommandRun(status, out.toString(), err.toString());
  }

  public static CommandRun withInput(String text, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    try {
      return of(arguments);
    } finally {
      System.setIn(before);
    }
  }
}
