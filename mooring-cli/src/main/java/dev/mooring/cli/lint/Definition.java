package dev.mooring.cli.lint;

import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.CompiledSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A kind of Mooring, as its shipped CustomResourceDefinition defines it. */
final class Definition {
  private static final Pattern LAST_STEP = Pattern.compile("(.*?)\\.?([^.\\[\\]]+)$");
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+|\\[\\d+]");

  final String group;
  final String version;
  final String kind;
  private final Map<String, Object> schema;
  private final CompiledSchema compiled;

  Definition(String crd) {
    KubeObject definition = ManifestReader.ofResource("/schema/" + crd);
    Object first = definition.list("spec", "versions").getFirst();
    this.group = definition.text("spec", "group");
    this.version = Trees.text(first, "name");
    this.kind = definition.text("spec", "names", "kind");
    this.schema = Trees.map(first, "schema", "openAPIV3Schema");
    this.compiled = CompiledSchema.of(schema);
  }

  String apiVersion() {
    return group + "/" + version;
  }

  /** Paths of fields that the schema does not have, sorted. */
  List<String> unknownFields(KubeObject object) {
    return compiled.prune(object).unknownFields();
  }

  /** What an API server refuses, without the fields that the schema does not have. */
  List<FieldError> errors(KubeObject object) {
    return compiled.validate(compiled.prune(object).object()).stream()
        .filter(error -> !error.field().equals(FieldError.NO_FIELD))
        .toList();
  }

  /** Names of the fields that an object may have next to an unknown one; empty if any. */
  List<String> fieldsNextTo(String unknown) {
    Matcher parent = LAST_STEP.matcher(unknown);
    return parent.matches()
        ? at(parent.group(1))
            .map(node -> Trees.map(node, "properties"))
            .map(properties -> properties.keySet().stream().sorted().toList())
            .orElse(List.of())
        : List.of();
  }

  private Optional<Object> at(String path) {
    Object here = schema;
    for (String step : STEP.matcher(path).results().map(found -> found.group()).toList()) {
      Object next =
          step.startsWith("[")
              ? Trees.at(here, "items")
              : Optional.ofNullable(Trees.at(here, "properties", step))
                  .orElse(Trees.at(here, "additionalProperties"));
      if (next == null) {
        return Optional.empty();
      }
      here = next;
    }
    return Optional.of(here);
  }
}
