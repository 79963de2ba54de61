package dev.mooring.syncagent.compat;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * A flag of the Go agent (api-syncagent v0.7.0, cmd/api-syncagent/options.go) and the property that
 * it is another name of.
 */
enum Flag {
  AGENT_NAME(
      "agent-name",
      Kind.TEXT,
      "mooring.sync-agent.agent-name",
      "name of this agent, a DNS label that never changes (default <endpoint slice>-syncagent)"),
  ENDPOINT_SLICE(
      "apiexportendpointslice-ref",
      Kind.TEXT,
      "mooring.sync-agent.apiexportendpointslice-ref",
      "name of the APIExportEndpointSlice in kcp (required)"),
  DISABLED_CONTROLLERS(
      "disabled-controllers",
      Kind.LIST,
      "mooring.sync-agent.disabled-controllers",
      "comma-separated parts of the agent that are not to run: apiexport, apiresourceschema, sync;"
          + " may be given several times"),
  LEADER_ELECTION(
      "enable-leader-election",
      Kind.SWITCH,
      "mooring.sync-agent.leader-election",
      "act only while holding the Lease syncagent.<agent name> (default false)"),
  HEALTH_ADDRESS(
      "health-address",
      Kind.TEXT,
      "mooring.sync-agent.health-address",
      "host:port that serves /healthz and /readyz over plain HTTP (default off)"),
  KCP_KUBECONFIG(
      "kcp-kubeconfig",
      Kind.TEXT,
      "mooring.sync-agent.kcp-kubeconfig",
      "kubeconfig of kcp, pointing at the endpoint slice's workspace (required)"),
  KUBECONFIG(
      "kubeconfig",
      Kind.TEXT,
      "mooring.sync-agent.kubeconfig",
      "kubeconfig of the service cluster (default $KUBECONFIG, the pod's service account,"
          + " ~/.kube/config)"),
  CA_FILE_OVERRIDE(
      "kubeconfig-ca-file-override",
      Kind.TEXT,
      "mooring.sync-agent.kubeconfig-ca-file-override",
      "file with the service cluster's CA, in place of the kubeconfig's"),
  HOST_OVERRIDE(
      "kubeconfig-host-override",
      Kind.TEXT,
      "mooring.sync-agent.kubeconfig-host-override",
      "URL of the service cluster, in place of the kubeconfig's"),
  LOG_DEBUG(
      "log-debug",
      Kind.SWITCH,
      "logging.level.dev.mooring",
      "log more (default false)",
      "debug",
      "info"),
  LOG_FORMAT(
      "log-format",
      Kind.LOG_FORMAT,
      "logging.structured.format.console",
      "JSON or Console (default JSON)"),
  METRICS_ADDRESS(
      "metrics-address",
      Kind.TEXT,
      "mooring.sync-agent.metrics-address",
      "host:port that serves /metrics over plain HTTP, 0 for none (default 127.0.0.1:8085)"),
  NAMESPACE(
      "namespace",
      Kind.TEXT,
      "mooring.sync-agent.namespace",
      "namespace on the service cluster for states and the Lease (required)"),
  PUBLISHED_RESOURCE_SELECTOR(
      "published-resource-selector",
      Kind.TEXT,
      "mooring.sync-agent.published-resource-selector",
      "label selector of the PublishedResources that are this agent's (default all)");

  /** How a flag's value is written. */
  enum Kind {
    TEXT,
    LIST,
    LOG_FORMAT,
    /** May stand without a value, which means true. */
    SWITCH
  }

  private final String word;
  private final Kind kind;
  private final String property;
  private final String description;
  private final String on;
  private final String off;

  Flag(String word, Kind kind, String property, String description) {
    this(word, kind, property, description, "true", "false");
  }

  Flag(String word, Kind kind, String property, String description, String on, String off) {
    this.word = word;
    this.kind = kind;
    this.property = property;
    this.description = description;
    this.on = on;
    this.off = off;
  }

  static Optional<Flag> named(String word) {
    return Stream.of(values()).filter(flag -> flag.word.equals(word)).findFirst();
  }

  String word() {
    return word;
  }

  Kind kind() {
    return kind;
  }

  String property() {
    return property;
  }

  String description() {
    return description;
  }

  /** What the property is set to where the switch is on. */
  String on() {
    return on;
  }

  String off() {
    return off;
  }
}
