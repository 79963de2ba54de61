package dev.mooring.depwebhook;

import dev.mooring.runtime.spring.GoFlags;
import dev.mooring.runtime.spring.GoFlags.Flag;
import dev.mooring.runtime.spring.ProgramArguments;
import java.util.Map;

/** The flags of the Go program's webhook. */
public final class WebhookFlags {
  private static final String PREFIX = "mooring.dependency-webhook.";
  private static final Map<String, Flag> FLAGS =
      Map.ofEntries(
          Map.entry("kubeconfig", GoFlags.property(PREFIX + "kubeconfig")),
          Map.entry("api-export-name", GoFlags.property(PREFIX + "api-export-name")),
          Map.entry("webhook-port", GoFlags.property("server.port")),
          Map.entry("tls-cert-dir", GoFlags.property(PREFIX + "tls-cert-dir")),
          // Health is served apart from reviews, with the other management endpoints.
          Map.entry("health-probe-bind-address", GoFlags.address("management.server")),
          Map.entry("zap-devel", GoFlags.ignoredSwitch()),
          Map.entry("zap-encoder", GoFlags.ignored()),
          Map.entry("zap-log-level", GoFlags.ignored()),
          Map.entry("zap-stacktrace-level", GoFlags.ignored()),
          Map.entry("zap-time-encoding", GoFlags.ignored()));

  private WebhookFlags() {}

  /** As {@link ProgramArguments#read}. */
  static String[] ofMain(String... arguments) {
    return ProgramArguments.read(
        "dependency-webhook-service", "mooring.dependency-webhook", FLAGS, arguments);
  }

  /** Throws {@link IllegalArgumentException}. */
  public static String[] toSpring(String... arguments) {
    return GoFlags.toSpring(FLAGS, arguments);
  }
}
