package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.stream.Collectors;

/** A step of a {@link FieldSet} as messages write it. Pure. */
final class FieldStep {
  private FieldStep() {}

  /** {@code .field}, {@code [name="a"]} or {@code [="item"]}. */
  static String text(String step) {
    String rest = step.substring(2);
    return switch (step.charAt(0)) {
      case 'f' -> "." + rest;
      case 'v' -> "[=" + rest + "]";
      default ->
          Trees.mapOrEmpty(KubeJson.read(rest)).entrySet().stream()
              .map(key -> key.getKey() + "=" + KubeJson.writeText(key.getValue()))
              .collect(Collectors.joining(",", "[", "]"));
    };
  }
}
