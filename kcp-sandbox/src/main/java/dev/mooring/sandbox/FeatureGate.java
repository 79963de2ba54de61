package dev.mooring.sandbox;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Features of kcp that are off unless an option turns them on. */
public enum FeatureGate {
  /** Mounted workspaces follow the objects that they refer to. */
  WORKSPACE_MOUNTS("WorkspaceMounts");

  private final String text;

  FeatureGate(String text) {
    this.text = text;
  }

  /**
   * Those that are on.
   *
   * @param values by name, as in kcp's {@code --feature-gates}
   * @throws IllegalArgumentException for one that the sandbox does not know
   */
  public static Set<FeatureGate> of(Map<String, Boolean> values) {
    var gates = EnumSet.noneOf(FeatureGate.class);
    values.forEach((name, value) -> {
      FeatureGate gate =
          Arrays.stream(values())
              .filter(known -> known.text.equals(name))
              .findFirst()
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "unrecognized feature gate: %s; there are %s"
                          .formatted(name, List.of(values()))));
      if (value) {
        gates.add(gate);
      }
    });
    return gates;
  }

  @Override
  public String toString() {
    return text;
  }
}
