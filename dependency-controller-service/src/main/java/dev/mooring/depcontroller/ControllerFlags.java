package dev.mooring.depcontroller;

import dev.mooring.runtime.spring.GoFlags;
import dev.mooring.runtime.spring.GoFlags.Flag;
import dev.mooring.runtime.spring.ProgramArguments;
import java.util.Map;

/** The flags of the Go program's controller. */
public final class ControllerFlags {
  private static final String PREFIX = "mooring.dependency-controller.";
  private static final Map<String, Flag> FLAGS =
      Map.ofEntries(
          Map.entry("kubeconfig", GoFlags.property(PREFIX + "kubeconfig")),
          Map.entry("api-export-name", GoFlags.property(PREFIX + "api-export-name")),
          Map.entry("kcp-base-host", GoFlags.property(PREFIX + "kcp-base-host")),
          Map.entry("webhook-url", GoFlags.property(PREFIX + "webhook-url")),
          Map.entry("webhook-ca-bundle-path", GoFlags.property(PREFIX + "webhook-ca-bundle-path")),
          Map.entry("health-probe-bind-address", GoFlags.address("server")),
          Map.entry("zap-devel", GoFlags.ignoredSwitch()),
          Map.entry("zap-encoder", GoFlags.ignored()),
          Map.entry("zap-log-level", GoFlags.ignored()),
          Map.entry("zap-stacktrace-level", GoFlags.ignored()),
          Map.entry("zap-time-encoding", GoFlags.ignored()));

  private ControllerFlags() {}

  /** As {@link ProgramArguments#read}. */
  static String[] ofMain(String... arguments) {
    return ProgramArguments.read(
        "dependency-controller-service", "mooring.dependency-controller", FLAGS, arguments);
  }

  /** Throws {@link IllegalArgumentException}. */
  public static String[] toSpring(String... arguments) {
    return GoFlags.toSpring(FLAGS, arguments);
  }
}
