package dev.mooring.cli.migrate.protection;

import dev.mooring.cli.CommandFailure;
import dev.mooring.depcontroller.ControllerFlags;
import dev.mooring.model.dependency.DependencyRule;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line of the Go controller, as Mooring's controller reads it.
 *
 * @param given as the user typed it
 * @param properties by name, without the prefix of the controller's own
 */
record ProtectionFlags(List<String> given, Map<String, String> properties) {
  private static final String PREFIX = "mooring.dependency-controller.";

  ProtectionFlags {
    given = List.copyOf(given);
    properties = Map.copyOf(properties);
  }

  /** Throws {@link CommandFailure} for what the dependency controller would not start with. */
  static ProtectionFlags read(List<String> flags) {
    String[] options;
    try {
      options = ControllerFlags.toSpring(flags.toArray(String[]::new));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput(
          "the dependency controller does not start with these flags: " + e.getMessage());
    }
    var properties = new HashMap<String, String>();
    for (String option : options) {
      if (!option.startsWith("--") || !option.contains(".")) {
        throw CommandFailure.badInput(
            "the dependency controller does not know the flag %s; docs/how-to/migrate-from-dependency-controller.md lists those that there are"
                .formatted(option));
      }
      String[] parts = option.substring(2).split("=", 2);
      properties.put(parts[0].replace(PREFIX, ""), parts.length == 1 ? "true" : parts[1]);
    }
    return new ProtectionFlags(flags, properties);
  }

  Optional<Path> kubeconfig() {
    return optional("kubeconfig").map(Path::of);
  }

  String export() {
    return optional("api-export-name").orElse(DependencyRule.GROUP);
  }

  String baseHost() {
    return optional("kcp-base-host").orElse("");
  }

  Optional<String> webhookUrl() {
    return optional("webhook-url");
  }

  Optional<Path> caBundle() {
    return optional("webhook-ca-bundle-path").map(Path::of);
  }

  String leaseNamespace() {
    return optional("lease-namespace").orElse("dependency-system");
  }

  private Optional<String> optional(String property) {
    return Optional.ofNullable(properties.get(property)).filter(text -> !text.isEmpty());
  }
}
