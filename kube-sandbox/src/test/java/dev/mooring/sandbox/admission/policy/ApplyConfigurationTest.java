package dev.mooring.sandbox.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApplyConfigurationTest {
  private static final Map<String, Object> SCHEMA =
      tree(
          """
          {"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "size": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "ports": {"type": "array", "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              "items": {"type": "object", "properties": {"name": {"type": "string"}, "port": {"type": "integer"}}}},
            "whole": {"type": "object", "x-kubernetes-map-type": "atomic",
              "properties": {"a": {"type": "string"}}}}}}}\
          """);

  @Test
  void mergesMapsAndItemsByTheirKeys() {
    assertThat(
            merged(
                "{'spec': {'size': 1, 'ports': [{'name': 'a', 'port': 1}]}}",
                "{'metadata': {'labels': {'x': 'y'}},"
                    + " 'spec': {'ports': [{'name': 'a', 'port': 2}, {'name': 'b', 'port': 3}]}}"))
        .isEqualTo(
            tree(
                "{'metadata': {'labels': {'x': 'y'}}, 'spec': {'size': 1,"
                    + " 'ports': [{'name': 'a', 'port': 2}, {'name': 'b', 'port': 3}]}}"));
  }

  @Test
  void refusesWhatItWouldReplaceAsAWhole() {
    refuses(
        "{'spec': {'tags': ['a'], 'whole': {'a': 'b'}}}",
        "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tags,"
            + " .spec.whole");
    refuses(
        "{'metadata': {'ownerReferences': [{'uid': 'u'}]}}",
        "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs:"
            + " .metadata.ownerReferences[0]");
  }

  @Test
  void refusesFieldsAndTypesThatTheSchemaHasNot() {
    refuses(
        "{'spec': {'nope': 1}}",
        "failed to convert patch object to typed object: .spec.nope: field not declared in"
            + " schema");
    refuses(
        "{'spec': 'x'}", "failed to convert patch object to typed object: .spec: expected a map");
  }

  private static void refuses(String fields, String problem) {
    assertThatExceptionOfType(MutationFailure.class)
        .isThrownBy(() -> merged("{}", fields))
        .withMessage("error applying patch: " + problem);
  }

  private static Map<String, Object> merged(String object, String fields) {
    return ApplyConfiguration.merge(tree(object), tree(fields), SCHEMA);
  }

  private static Map<String, Object> tree(String json) {
    return Trees.mapOrEmpty(KubeJson.read(json.replace('\'', '"')));
  }
}
