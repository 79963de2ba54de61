package dev.mooring.syncagent;

import dev.mooring.runtime.spring.GoFlags;
import dev.mooring.runtime.spring.GoFlags.Flag;
import dev.mooring.runtime.spring.ProgramArguments;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The program's arguments. Flags of the Go agent ({@code --agent-name x}, {@code --agent-name=x})
 * are other names of properties; options with a dot in their name ({@code --server.port=8080}) are
 * Spring's. Of several values for one property the last one counts; the command line wins over
 * environment and files.
 */
public sealed interface CommandLine {
  /** Of messages and the usage. */
  String PROGRAM = "sync-agent-service";

  /** Flags of api-syncagent after v0.7.0, cmd/api-syncagent/options.go. */
  Map<String, Flag> FLAGS =
      Map.ofEntries(
          property("agent-name"),
          property("apiexportendpointslice-ref"),
          property("disabled-controllers"),
          toggle("enable-leader-election", "mooring.sync-agent.leader-election"),
          toggle("enable-server-side-apply", "mooring.sync-agent.server-side-apply"),
          property("health-address"),
          property("kcp-kubeconfig"),
          property("kubeconfig"),
          property("kubeconfig-ca-file-override"),
          property("kubeconfig-host-override"),
          Map.entry(
              "log-debug",
              new Flag.Switch(
                  on -> List.of("logging.level.dev.mooring=" + (on ? "debug" : "info")))),
          Map.entry(
              "log-format",
              new Flag.Value(
                  value -> List.of("logging.structured.format.console=" + logFormat(value)))),
          property("metrics-address"),
          property("namespace"),
          property("published-resource-selector"));

  /** The Go agent's defaults where they are not the properties' own. */
  Map<String, Object> GO_DEFAULTS =
      Map.of(
          "mooring.sync-agent.metrics-address",
          "127.0.0.1:8085",
          "logging.structured.format.console",
          "ecs",
          // The Go agent opens no other port, and several agents may share a machine.
          "spring.main.web-application-type",
          "none",
          "spring.main.keep-alive",
          "true",
          // Most of Spring serves endpoints that are not there then.
          "spring.main.lazy-initialization",
          "true");

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
      List<String> options = List.of(GoFlags.toSpring(FLAGS, arguments));
      return options.contains("--help") || options.contains("-h")
          ? new Help(ProgramArguments.usage(PROGRAM, "mooring.sync-agent", FLAGS.keySet()))
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
      boolean addsUp = name.equals("mooring.sync-agent.disabled-controllers") && before != null;
      properties.put(name, addsUp ? before + "," + value : value);
    }
    var defaults = new HashMap<String, Object>(usesFlags ? GO_DEFAULTS : Map.of());
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

  /** A flag named like its property. */
  private static Map.Entry<String, Flag> property(String name) {
    return Map.entry(name, GoFlags.property("mooring.sync-agent." + name));
  }

  private static Map.Entry<String, Flag> toggle(String name, String property) {
    return Map.entry(name, new Flag.Switch(on -> List.of(property + "=" + on)));
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
