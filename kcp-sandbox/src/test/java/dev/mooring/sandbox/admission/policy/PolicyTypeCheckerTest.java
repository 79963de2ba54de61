package dev.mooring.sandbox.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyTypeCheckerTest {
  private static final ResourceDefinition WIDGETS =
      ResourceDefinition.define(
              new ResourceType("wire.example.io", "v1", "widgets"),
              ResourceNames.of("widgets", "Widget"),
              Scope.NAMESPACED)
          .schema(
              Trees.mapOrEmpty(
                  KubeJson.read(
                      """
                      {"type": "object", "properties": {"spec": {"type": "object",
                       "properties": {"size": {"type": "integer"}}}}}\
                      """)))
          .build();

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog() {
        @Override
        public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
          return all(cluster).stream().filter(it -> it.type().equals(type)).findFirst();
        }

        @Override
        public List<ResourceDefinition> all(LogicalCluster cluster) {
          return List.of(WIDGETS);
        }
      };

  @Test
  void checksExpressionsAgainstTheSchemaOfACustomResource() {
    assertThat(
            warnings(
                "'object.spec.size == \\'a\\'', 'object.spec.zz == 1', 'object.spec.size == 1'"))
        .containsExactly(
            "spec.validations[0].expression: wire.example.io/v1, Kind=Widget: ERROR: <input>:1:18:"
                + " found no matching overload for '_==_' applied to '(int, string)'",
            "spec.validations[1].expression: wire.example.io/v1, Kind=Widget: ERROR: <input>:1:12:"
                + " undefined field 'zz'");
  }

  @Test
  void knowsTheMetadataOfEveryObject() {
    assertThat(warnings("'object.metadata.labels[\\'a\\'] == 1'"))
        .singleElement()
        .asString()
        .endsWith("found no matching overload for '_==_' applied to '(string, int)'");
  }

  private static List<String> warnings(String expressions) {
    var policy =
        KubeJson.readObject(
            ("{'spec': {'matchConstraints': {'resourceRules': [{'apiGroups': ['wire.example.io'],"
                    + " 'apiVersions': ['v1'], 'resources': ['widgets']}]}, 'validations': ["
                    + expressions.replaceAll("'((?:[^'\\\\]|\\\\.)*)'", "{'expression': '$1'}")
                    + "]}}")
                .replaceAll("(?<!\\\\)'", "\"")
                .replace("\\'", "'"));
    var metadata =
        Trees.mapOrEmpty(
            KubeJson.read(
                """
                {"type": "object", "properties": {"labels": {"type": "object",
                 "additionalProperties": {"type": "string"}}}}\
                """));
    return new PolicyTypeChecker(CATALOG, () -> metadata)
        .warnings(policy, new LogicalCluster("abc")).stream()
            .map(PolicyTypeCheckerTest::firstLine)
            .toList();
  }

  private static String firstLine(Map<String, Object> warning) {
    return (warning.get("fieldRef") + ": " + warning.get("warning"))
        .lines()
        .findFirst()
        .orElseThrow();
  }
}
