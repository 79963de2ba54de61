package dev.mooring.syncagent.compat;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One pass over a command line. */
final class Arguments {
  /** Go's strconv.ParseBool. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  /** The Go agent's defaults where they are not the properties' own. */
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          Flag.METRICS_ADDRESS.property(),
          "127.0.0.1:8085",
          Flag.LOG_FORMAT.property(),
          "ecs",
          // The Go agent opens no other port, and several agents may share a machine.
          "spring.main.web-application-type",
          "none",
          "spring.main.keep-alive",
          "true",
          // Most of Spring serves endpoints that are not there then.
          "spring.main.lazy-initialization",
          "true");

  private final String[] arguments;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private boolean usesFlags;
  private boolean asksForHelp;
  private int next;

  Arguments(String... arguments) {
    this.arguments = arguments.clone();
  }

  /** Throws {@link IllegalArgumentException} saying what cannot be understood. */
  CommandLine result() {
    while (next < arguments.length) {
      read(arguments[next++]);
    }
    if (asksForHelp) {
      return new CommandLine.Help(Usage.TEXT);
    }
    Map<String, Object> defaults = new LinkedHashMap<>();
    if (usesFlags) {
      defaults.putAll(DEFAULTS);
    }
    if (properties.containsKey("server.port")) {
      // The operator wants the service's own endpoints as well.
      defaults.remove("spring.main.web-application-type");
      defaults.remove("spring.main.lazy-initialization");
    }
    return new CommandLine.Start(
        properties.entrySet().stream()
            .map(property -> "--" + property.getKey() + "=" + property.getValue())
            .toList(),
        defaults);
  }

  private void read(String argument) {
    if (argument.equals("--help") || argument.equals("-h")) {
      asksForHelp = true;
      return;
    }
    if (!argument.startsWith("--") || argument.length() == 2) {
      throw new IllegalArgumentException(
          "unexpected argument \"" + argument + "\": flags are written --name=value");
    }
    int equals = argument.indexOf('=');
    String name = argument.substring(2, equals < 0 ? argument.length() : equals);
    if (name.contains(".")) {
      properties.remove(name);
      properties.put(name, equals < 0 ? "" : argument.substring(equals + 1));
      return;
    }
    Flag flag =
        Flag.named(name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "unknown flag: --" + name + " (--help lists those that there are)"));
    usesFlags = true;
    set(flag, equals < 0 ? following(flag) : argument.substring(equals + 1));
  }

  private String following(Flag flag) {
    if (flag.kind() == Flag.Kind.SWITCH) {
      boolean given =
          next < arguments.length
              && (TRUE.contains(arguments[next]) || FALSE.contains(arguments[next]));
      return given ? arguments[next++] : "true";
    }
    if (next == arguments.length) {
      throw new IllegalArgumentException("flag needs an argument: --" + flag.word());
    }
    return arguments[next++];
  }

  private void set(Flag flag, String value) {
    String converted =
        switch (flag.kind()) {
          case TEXT -> value;
          case LIST -> {
            String before = properties.getOrDefault(flag.property(), "");
            yield before.isEmpty() ? value : before + "," + value;
          }
          case SWITCH -> switched(flag, value) ? flag.on() : flag.off();
          case LOG_FORMAT -> logFormat(value);
        };
    properties.remove(flag.property());
    properties.put(flag.property(), converted);
  }

  private static boolean switched(Flag flag, String value) {
    if (TRUE.contains(value)) {
      return true;
    }
    if (FALSE.contains(value)) {
      return false;
    }
    throw new IllegalArgumentException(
        "invalid argument \"" + value + "\" for --" + flag.word() + ": say true or false");
  }

  /** Spring's name of the format; empty for readable lines. */
  private static String logFormat(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "json" -> "ecs";
      case "console" -> "";
      default ->
          throw new IllegalArgumentException(
              "invalid argument \"" + value + "\" for --log-format: say JSON or Console");
    };
  }
}
