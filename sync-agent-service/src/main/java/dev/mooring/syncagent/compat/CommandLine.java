package dev.mooring.syncagent.compat;

import dev.mooring.runtime.spring.GoFlags;
import dev.mooring.runtime.spring.ProgramArguments;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program's arguments. Flags of the Go agent ({@code --agent-name x}, {@code --agent-name=x})
 * are other names of properties; options with a dot in their name ({@code --server.port=8080}) are
 * Spring's. Of several values for one property the last one counts; the command line wins over
 * environment and files.
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
  record Help(String text) implements CommandLine {}

  /** An argument is unknown, or has a wrong value. */
  record Refused(String message) implements CommandLine {}

  static CommandLine read(String... arguments) {
    try {
      List<String> options = List.of(GoFlags.toSpring(Flag.MEANINGS, arguments));
      return options.contains("--help") || options.contains("-h")
          ? new Help(Flag.usage())
          : start(options, !options.equals(List.of(arguments)));
    } catch (IllegalArgumentException e) {
      return new Refused(String.valueOf(e.getMessage()));
    }
  }

  /**
   * @param options as Spring reads them, those of flags included
   */
  private static Start start(List<String> options, boolean usesFlags) {
    var properties = new LinkedHashMap<String, String>();
    for (String option : options) {
      int equals = option.indexOf('=');
      String name = ProgramArguments.propertyOf(option);
      String value = equals < 0 ? "" : option.substring(equals + 1);
      String before = properties.remove(name);
      properties.put(name, name.equals(Flag.LIST) && before != null ? before + "," + value : value);
    }
    var defaults = new HashMap<String, Object>(usesFlags ? Flag.DEFAULTS : Map.of());
    if (properties.containsKey("server.port")) {
      // The operator wants the service's own endpoints as well.
      defaults.remove("spring.main.web-application-type");
      defaults.remove("spring.main.lazy-initialization");
    }
    return new Start(
        properties.entrySet().stream()
            .map(property -> "--" + property.getKey() + "=" + property.getValue())
            .toList(),
        defaults);
  }
}
