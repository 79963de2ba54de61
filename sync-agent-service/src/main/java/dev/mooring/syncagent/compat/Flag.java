package dev.mooring.syncagent.compat;

import dev.mooring.runtime.spring.GoFlags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A flag of the Go agent (api-syncagent after v0.7.0, cmd/api-syncagent/options.go).
 *
 * @param meaning the property that the flag is another name of
 */
record Flag(String name, GoFlags.Flag meaning, String description) {
  private static final String PREFIX = "mooring.sync-agent.";
  private static final String LOG_FORMAT = "logging.structured.format.console";

  /** The property whose values add up. */
  static final String LIST = PREFIX + "disabled-controllers";

  private static final List<Flag> ALL =
      List.of(
          property(
              "agent-name",
              "name of this agent, a DNS label that never changes (default <endpoint"
                  + " slice>-syncagent)"),
          property(
              "apiexportendpointslice-ref", "name of the APIExportEndpointSlice in kcp (required)"),
          property(
              "disabled-controllers",
              "comma-separated parts of the agent that are not to run: apiexport,"
                  + " apiresourceschema, sync; may be given several times"),
          new Flag(
              "enable-leader-election",
              new GoFlags.Flag.Switch(on -> List.of(PREFIX + "leader-election=" + on)),
              "act only while holding the Lease syncagent.<agent name> (default false)"),
          new Flag(
              "enable-server-side-apply",
              new GoFlags.Flag.Switch(on -> List.of(PREFIX + "server-side-apply=" + on)),
              "no effect: fields that others set in a copy are kept in any case (default false)"),
          property(
              "health-address",
              "host:port that serves /healthz and /readyz over plain HTTP (default off)"),
          property(
              "kcp-kubeconfig",
              "kubeconfig of kcp, pointing at the endpoint slice's workspace (required)"),
          property(
              "kubeconfig",
              "kubeconfig of the service cluster (default $KUBECONFIG, the pod's service account,"
                  + " ~/.kube/config)"),
          property(
              "kubeconfig-ca-file-override",
              "file with the service cluster's CA, in place of the kubeconfig's"),
          property(
              "kubeconfig-host-override",
              "URL of the service cluster, in place of the kubeconfig's"),
          new Flag(
              "log-debug",
              new GoFlags.Flag.Switch(
                  on -> List.of("logging.level.dev.mooring=" + (on ? "debug" : "info"))),
              "log more (default false)"),
          new Flag(
              "log-format",
              new GoFlags.Flag.Value(value -> List.of(LOG_FORMAT + "=" + logFormat(value))),
              "JSON or Console (default JSON)"),
          property(
              "metrics-address",
              "host:port that serves /metrics over plain HTTP, 0 for none (default"
                  + " 127.0.0.1:8085)"),
          property(
              "namespace", "namespace on the service cluster for states and the Lease (required)"),
          property(
              "published-resource-selector",
              "label selector of the PublishedResources that are this agent's (default all)"));

  static final Map<String, GoFlags.Flag> MEANINGS =
      ALL.stream().collect(Collectors.toMap(Flag::name, Flag::meaning));

  /** The Go agent's defaults where they are not the properties' own. */
  static final Map<String, Object> DEFAULTS =
      Map.of(
          PREFIX + "metrics-address",
          "127.0.0.1:8085",
          LOG_FORMAT,
          "ecs",
          // The Go agent opens no other port, and several agents may share a machine.
          "spring.main.web-application-type",
          "none",
          "spring.main.keep-alive",
          "true",
          // Most of Spring serves endpoints that are not there then.
          "spring.main.lazy-initialization",
          "true");

  /** What {@code --help} prints. */
  static String usage() {
    return """
    Usage: sync-agent-service [flags] [properties]

    Flags, those of api-syncagent. Started with any of them, the agent serves what they name and
    opens no other port, unless server.port is given:
    %s
    Properties of Spring Boot, written --name=value, among them:
      --mooring.sync-agent.adoption                never, marked, unclaimed or always
      --mooring.sync-agent.api-group               API group in kcp where a projection has none
      --mooring.sync-agent.endpoint-auth           whether status and resync ask for a token
      --mooring.sync-agent.workers                 objects of one type worked on at a time
      --server.port                                port of health, status, resync and metrics
      --spring.profiles.active                     local, dev or prod
    Each flag is another name of a property. The command line wins over environment variables
    and files; of several values for one property the last one counts.
    """
        .formatted(
            ALL.stream()
                .map(flag -> "  %-34s %s%n".formatted("--" + flag.name(), flag.description()))
                .collect(Collectors.joining()));
  }

  /** A flag named like its property. */
  private static Flag property(String name, String description) {
    return new Flag(name, GoFlags.property(PREFIX + name), description);
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
