package dev.mooring.syncagent.compat;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the program was asked for. Flags of the Go agent ({@code --agent-name x}, {@code
 * --agent-name=x}) are taken for the properties that they are other names of; options with a dot in
 * their name ({@code --server.port=8080}) are Spring's and passed on. Of several values for one
 * property the last one counts; the command line wins over environment and files.
 */
public sealed interface CommandLine {
  /**
   * @param arguments for Spring
   * @param defaults properties that hold where nothing else sets them, not even a file
   */
  record Start(List<String> arguments, Map<String, Object> defaults) implements CommandLine {
    public Start {
      arguments = List.copyOf(arguments);
      defaults = Map.copyOf(defaults);
    }
  }

  /** Only the usage is wanted. */
  record Help(String text) implements CommandLine {
    public Help {
      Objects.requireNonNull(text, "text");
    }
  }

  /** It cannot be understood, or asks for what there is not. */
  record Refused(String message) implements CommandLine {
    public Refused {
      Objects.requireNonNull(message, "message");
    }
  }

  static CommandLine read(String... arguments) {
    try {
      return new Arguments(arguments).result();
    } catch (IllegalArgumentException e) {
      return new Refused(e.getMessage());
    }
  }
}
