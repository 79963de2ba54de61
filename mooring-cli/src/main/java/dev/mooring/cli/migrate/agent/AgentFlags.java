package dev.mooring.cli.migrate.agent;

import dev.mooring.cli.CommandFailure;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.syncagent.CommandLine;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Publishing;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The command line of the agent, as the sync agent reads it.
 *
 * @param given as the user typed it
 * @param properties by name, without the prefix of the agent's own
 */
record AgentFlags(List<String> given, Map<String, String> properties) {
  private static final String PREFIX = "mooring.sync-agent.";

  AgentFlags {
    given = List.copyOf(given);
    properties = Map.copyOf(properties);
  }

  /** Throws {@link CommandFailure} for what the sync agent would not start with. */
  static AgentFlags read(List<String> arguments) {
    return switch (CommandLine.read(arguments.toArray(String[]::new))) {
      case CommandLine.Refused(var message) ->
          throw CommandFailure.badInput(
              "the sync agent does not start with these flags: " + message);
      case CommandLine.Help(var usage) -> throw CommandFailure.badInput(usage);
      case CommandLine.Start(var options, var _) -> {
        var properties = new HashMap<String, String>();
        for (String option : options) {
          String[] parts = option.substring(2).split("=", 2);
          properties.put(parts[0].replace(PREFIX, ""), parts[1]);
        }
        yield new AgentFlags(arguments, properties);
      }
    };
  }

  Path kcpKubeconfig() {
    return Path.of(required("kcp-kubeconfig"));
  }

  String endpointSlice() {
    return required("apiexportendpointslice-ref");
  }

  Optional<Path> kubeconfig() {
    return optional("kubeconfig").map(Path::of);
  }

  Optional<String> serverOverride() {
    return optional("kubeconfig-host-override");
  }

  Optional<Path> caOverride() {
    return optional("kubeconfig-ca-file-override").map(Path::of);
  }

  EndpointOverrides endpointOverrides() {
    return EndpointOverrides.of(
        optional("endpoint-host-override").stream()
            .flatMap(texts -> Stream.of(texts.split(",")))
            .toList());
  }

  String namespace() {
    return optional("namespace").orElse("default");
  }

  String agentName() {
    return optional("agent-name").orElseGet(() -> endpointSlice() + "-syncagent");
  }

  String selector() {
    return optional("published-resource-selector").orElse("");
  }

  String apiGroup() {
    return optional("api-group").orElse("");
  }

  Adoption adoption() {
    return word("adoption", Adoption.class, Adoption.UNCLAIMED);
  }

  Publishing publishing() {
    return word("publishing", Publishing.class, Publishing.MANAGED);
  }

  LeaderElection leaderElection() {
    return optional("leader-election").orElse("false").equals("true")
        ? LeaderElection.ON
        : LeaderElection.OFF;
  }

  /** Whether the agent waits for its Lease. */
  enum LeaderElection {
    ON,
    OFF
  }

  private <E extends Enum<E>> E word(String property, Class<E> type, E otherwise) {
    String text = optional(property).orElse(otherwise.name());
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput(
          "--" + PREFIX + property + ": \"" + text + "\" is no value that the sync agent knows");
    }
  }

  private Optional<String> optional(String property) {
    return Optional.ofNullable(properties.get(property)).filter(text -> !text.isEmpty());
  }

  private String required(String flag) {
    return optional(flag)
        .orElseThrow(() ->
            CommandFailure.badInput(
                "--"
                    + flag
                    + " is missing: name the flags that the agent runs with, as in"
                    + " mooring migrate check api-syncagent --"
                    + flag
                    + "=…"));
  }
}
