package dev.mooring.syncagent.publish.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.ServedDefinition.ServedVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Types that have no CRD, from discovery and OpenAPI. */
class ServedDefinitionTest {
  @Test
  void putsTogetherEveryVersionWithNamesAndSubresources() {
    KubeObject definition = definition("v2", version("v2"), version("v1")).orElseThrow();

    assertThat(definition.name()).isEqualTo("scalers.auto.io");
    assertThat(definition.text("spec", "scope")).isEqualTo("Namespaced");
    assertThat(definition.map("spec", "names"))
        .containsEntry("kind", "Scaler")
        .containsEntry("listKind", "ScalerList")
        .containsEntry("plural", "scalers")
        .containsEntry("singular", "scaler")
        .containsEntry("shortNames", List.of("sc"))
        .containsEntry("categories", List.of("all"));
    assertThat(definition.list("spec", "versions"))
        .extracting(version -> Trees.at(version, "name") + " " + Trees.at(version, "storage"))
        .containsExactly("v1 false", "v2 true");
    assertThat(definition.list("spec", "versions"))
        .extracting(version -> Trees.at(version, "subresources"))
        .containsOnly(
            Map.of(
                "status", Map.of(),
                "scale",
                    Map.of(
                        "specReplicasPath", ".spec.replicas",
                        "statusReplicasPath", ".status.replicas")));
  }

  @Test
  void storesTheHighestVersionWhereThePreferredOneLacksTheKind() {
    KubeObject definition = definition("v9", version("v1beta1"), version("v1alpha1")).orElseThrow();

    assertThat(definition.list("spec", "versions"))
        .extracting(version -> Trees.at(version, "name") + " " + Trees.at(version, "storage"))
        .containsExactly("v1alpha1 false", "v1beta1 true");
  }

  @Test
  void isNothingWhereNoVersionHasTheKind() {
    assertThat(ServedDefinition.of("auto.io", "Other", "v1", List.of(version("v1")))).isEmpty();
  }

  @Test
  void replacesMetadataAndReferences() {
    assertThat(schema("{'$ref':'#/components/schemas/Part','description':'x'}"))
        .isEqualTo(Map.of("type", "object", "properties", Map.of("n", Map.of("type", "string"))));
    assertThat(
            schema(
                "{'allOf':[{'$ref':'#/components/schemas/Part'}],'description':'d','default':{}}"))
        .isEqualTo(
            Map.of(
                "type", "object",
                "description", "d",
                "properties", Map.of("n", Map.of("type", "string"))));
    assertThat(root("{'type':'string'}"))
        .extractingByKey("properties")
        .satisfies(properties ->
            assertThat(Trees.at(properties, "metadata")).isEqualTo(Map.of("type", "object")));
  }

  @Test
  void keepsAnythingBelowAModelThatContainsItself() {
    assertThat(schema("{'$ref':'#/components/schemas/Loop'}"))
        .isEqualTo(
            Map.of(
                "type",
                "object",
                "properties",
                Map.of("again", Map.of("x-kubernetes-preserve-unknown-fields", true))));
  }

  @Test
  void knowsNumbersThatMayBeText() {
    assertThat(schema("{'format':'int-or-string','oneOf':[{'type':'integer'},{'type':'string'}]}"))
        .isEqualTo(Map.of("x-kubernetes-int-or-string", true));
    assertThat(
            schema("{'$ref':'#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}"))
        .isEqualTo(Map.of("x-kubernetes-int-or-string", true));
  }

  @Test
  void keepsWhatAFreeObjectHolds() {
    assertThat(schema("{'type':'object'}"))
        .containsEntry("x-kubernetes-preserve-unknown-fields", true);
    assertThat(schema("{'type':'object','additionalProperties':{'type':'string'}}"))
        .isEqualTo(Map.of("type", "object", "additionalProperties", Map.of("type", "string")));
    assertThat(schema("{}")).isEqualTo(Map.of("x-kubernetes-preserve-unknown-fields", true));
  }

  @Test
  void dropsEveryDefaultButThoseOfListKeys() {
    assertThat(schema("{'type':'string','default':''}")).isEqualTo(Map.of("type", "string"));
    String ports =
        """
        {'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['p','q'],
         'items':{'type':'object','required':['p'],
                  'properties':{'p':{'type':'integer'},'q':{'type':'string','default':'TCP'}}}}\
        """;
    assertThat(Trees.at(schema(ports), "items", "properties", "q", "default")).isEqualTo("TCP");
    assertThat(schema(ports)).containsEntry("x-kubernetes-list-type", "map");
  }

  @Test
  void givesUpAListTypeThatACrdCannotHave() {
    String keyMayBeMissing =
        """
        {'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['q'],
         'items':{'type':'object','properties':{'q':{'type':'string','default':''}}}}\
        """;
    String setOfObjects =
        """
        {'type':'array','x-kubernetes-list-type':'set',
         'items':{'type':'object','properties':{'q':{'type':'string'}}}}\
        """;

    assertThat(schema(keyMayBeMissing))
        .doesNotContainKeys("x-kubernetes-list-type", "x-kubernetes-list-map-keys");
    assertThat(schema(setOfObjects)).doesNotContainKey("x-kubernetes-list-type");
  }

  private static Optional<KubeObject> definition(String preferred, ServedVersion... versions) {
    return ServedDefinition.of("auto.io", "Scaler", preferred, List.of(versions));
  }

  private static Map<String, Object> schema(String field) {
    return Trees.mapOrEmpty(Trees.at(root(field), "properties", "f"));
  }

  private static Map<String, Object> root(String field) {
    KubeObject definition =
        ServedDefinition.of("auto.io", "Scaler", "v1", List.of(version("v1", field))).orElseThrow();
    return Trees.mapOrEmpty(
        Trees.at(definition.list("spec", "versions").getFirst(), "schema", "openAPIV3Schema"));
  }

  private static ServedVersion version(String name) {
    return version(name, "{'type':'string'}");
  }

  private static ServedVersion version(String name, String field) {
    return new ServedVersion(
        name,
        json(
            """
            {'resources':[
              {'name':'scalers','singularName':'scaler','namespaced':true,'kind':'Scaler',
               'shortNames':['sc'],'categories':['all']},
              {'name':'scalers/status','namespaced':true,'kind':'Scaler'},
              {'name':'scalers/scale','namespaced':true,'kind':'Scale'}]}\
            """),
        json(
            """
            {'components':{'schemas':{
              'io.auto.Scaler':{'type':'object',
                'properties':{'f':%s,'metadata':{'$ref':'#/components/schemas/Meta'}},
                'x-kubernetes-group-version-kind':
                  [{'group':'auto.io','version':'%s','kind':'Scaler'}]},
              'Part':{'type':'object','properties':{'n':{'type':'string','default':''}}},
              'Loop':{'type':'object',
                'properties':{'again':{'$ref':'#/components/schemas/Loop'}}},
              'Meta':{'type':'object'}}}}\
            """
                .formatted(field, name)));
  }

  private static KubeObject json(String text) {
    return KubeJson.readObject(text.replace('\'', '"'));
  }
}
