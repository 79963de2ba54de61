package dev.mooring.sandbox.schema;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Schemas and objects written as YAML. */
final class SchemaTexts {
  private SchemaTexts() {}

  static CompiledSchema schema(String yaml) {
    return CompiledSchema.of(tree(yaml));
  }

  static KubeObject object(String yaml) {
    return KubeObject.of(tree(yaml));
  }

  static Map<String, Object> tree(String yaml) {
    Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return Trees.mapOrEmpty(Trees.freeze(loaded));
  }

  static List<String> texts(List<FieldError> errors) {
    return errors.stream().map(FieldError::toString).toList();
  }
}
