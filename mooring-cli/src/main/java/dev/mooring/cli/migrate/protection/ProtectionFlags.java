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
 * The command line of the Go controller, as the dependency controller reads it.
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

  /** Throws {@link CommandFailure} for what the controller would not start with. */
  static ProtectionFlags read(List<String> arguments) {
    try {
      var properties = new HashMap<String, String>();
      for (String option : ControllerFlags.toSpring(arguments.toArray(String[]::new))) {
        if (!option.startsWith("--") || !option.contains(".")) {
          throw CommandFailure.badInput(
              "the dependency controller does not know the flag "
                  + option
                  + "; docs/how-to/migrate-from-dependency-controller.md lists those that there"
                  + " are");
        }
        String[] parts = option.substring(2).split("=", 2);
        properties.put(parts[0].replace(PREFIX, ""), parts.length == 1 ? "true" : parts[1]);
      }
      return new ProtectionFlags(arguments, properties);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.badInput(
          "the dependency controller does not start with these flags: " + e.getMessage());
    }
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
