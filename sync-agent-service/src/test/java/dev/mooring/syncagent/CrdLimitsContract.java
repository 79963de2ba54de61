package dev.mooring.syncagent;

import static dev.mooring.syncagent.PublishingBench.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a CustomResourceDefinition may have and an APIResourceSchema may not. Each test has an API
 * group of its own. Subclasses say on which kcp.
 */
abstract class CrdLimitsContract {
  private static final String TEXT = "{type: object, properties: {text: {type: string}}}";

  private static PublishingBench bench;

  static void enter(TestKcp kcp, Path directory) {
    bench = new PublishingBench(kcp, directory);
    bench.startAgent();
  }

  static void leave() {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }

  @Test
  void namesTheFieldsThatTheConversionWebhookWouldConvert() {
    String webhook =
        """
        conversion:
          strategy: Webhook
          webhook:
            conversionReviewVersions: [v1]
            clientConfig: {service: {namespace: default, name: converter}}
        """;
    publish(
        "converted",
        webhook,
        version("v1", "storage: true", "{type: object, properties: {after: {type: string}}}"),
        version("v1beta1", "storage: false", TEXT));

    KubeObject published = awaitSchema("converted", "False ConversionLeftOut");

    assertThat(message(published))
        .contains("v1: spec.after", "v1beta1: spec.text", "spec.resource.versions");
    assertEvent("converted", "spec.after");
    assertThat(condition(published, "Exported")).isEqualTo("True Exported");
    bench.patchPublished("converted", "{resource: {versions: [v1]}}");
    bench.awaitPublished(
        "converted", seen -> assertThat(condition(seen, "SchemaComplete")).isEmpty());
  }

  @Test
  void isSilentAboutAConversionWebhookWhoseVersionsHaveTheSameFields() {
    publish(
        "same",
        """
        conversion:
          strategy: Webhook
          webhook:
            conversionReviewVersions: [v1]
            clientConfig: {url: "https://converter.example.io"}
        """,
        version("v1", "storage: true", TEXT),
        version("v2", "storage: false", TEXT));

    KubeObject published = awaitExported("same");

    assertThat(condition(published, "SchemaComplete")).isEmpty();
  }

  @Test
  void leavesOutTheLaterOfTwoPrinterColumnsOfOneName() {
    publish(
        "columns",
        "",
        version(
            "v1",
            """
            storage: true
            additionalPrinterColumns:
            - {name: Text, type: string, jsonPath: .spec.text}
            - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
            - {name: Text, type: string, jsonPath: .spec.other}\
            """,
            TEXT));

    KubeObject published = awaitSchema("columns", "False ColumnsLeftOut");

    assertThat(message(published)).contains("v1: Text (.spec.other)");
    assertEvent("columns", "Text (.spec.other)");
    assertThat(condition(published, "Exported")).isEqualTo("True Exported");
    assertThat(schemaOf(published).list("spec", "versions"))
        .singleElement()
        .satisfies(version ->
            assertThat(Trees.list(version, "additionalPrinterColumns"))
                .extracting(column -> Trees.text(column, "jsonPath"))
                .containsExactly(".spec.text", ".metadata.creationTimestamp"));
  }

  @Test
  void asksForAnotherNameOfAVersionThatKcpDoesNotTake() {
    for (String name : List.of("alpha1", "v0", "v1-beta")) {
      publish(name, "", version(name, "storage: true", TEXT));

      KubeObject published =
          bench.awaitPublished(
              name, seen -> assertThat(condition(seen, "Accepted")).isEqualTo("False InvalidSpec"));

      assertThat(message(published, "Accepted")).contains("spec.projection.versions", name);
      bench.patchPublished(name, "{projection: {versions: {%s: v1}}}".formatted(name));
      awaitExported(name);
    }
  }

  @Test
  void asksForAShorterGroupWhereTheSchemasNameWouldBeTooLong() {
    String longest = ("a".repeat(60) + ".").repeat(3) + "b".repeat(46) + ".example.io";
    bench.createCrd(crd(longest, "", version("v1", "storage: true", TEXT)));
    bench.publish("longnames", "resource: {apiGroup: %s, kind: Text}\n".formatted(longest));

    KubeObject published =
        bench.awaitPublished(
            "longnames",
            seen -> assertThat(condition(seen, "Accepted")).isEqualTo("False InvalidSpec"));

    assertThat(message(published, "Accepted")).contains("spec.projection.group", "253");
    bench.patchPublished("longnames", "{projection: {group: short.example.io}}");
    awaitExported("longnames");
  }

  @Test
  void namesTheNearestFieldOfPathsThatNoObjectCanHave() {
    publish("paths", "", version("v1", "storage: true", TEXT));
    bench.patchPublished(
        "paths",
        """
        {naming: {name: "{{ .Object.spec.txt }}"},
         mutation: {spec: [{cel: {path: spec.text, expression: "self.spec.test"}}]},
         related: [
          {identifier: a, origin: service, kind: Secret, object: {reference: {path: spec.text.name}}},
          {identifier: b, origin: service, kind: Secret, object: {reference: {path: spec}}},
          {identifier: c, origin: service, kind: Secret, object: {reference: {path: spec.text}},
           mutation: {spec: [{delete: {path: dta.key}}, {delete: {path: data.key}}]}},
          {identifier: d, origin: service, kind: ConfigMap, object: {reference: {path: spec.text}},
           mutation: {spec: [{cel: {path: data.host, expression: self.binryData.host}}]}}]}\
        """);

    KubeObject published =
        bench.awaitPublished(
            "paths",
            seen -> assertThat(condition(seen, "PathsInSchema")).isEqualTo("False UnknownPath"));

    assertThat(message(published, "PathsInSchema"))
        .contains(
            "spec.naming.name: .spec has no field \"txt\" (did you mean \"text\"?)",
            "spec.mutation.spec[0].cel.expression: .spec has no field \"test\"",
            "spec.related[0].object.reference.path: .spec.text is a string, which has no field",
            "spec.related[1].object.reference.path: it leads to an object, not to a name",
            "spec.related[2].mutation.spec[0].delete.path: the object has no field \"dta\" (did you",
            "spec.related[3].mutation.spec[0].cel.expression: the object has no field \"binryData\"")
        .doesNotContain("mutation.spec[1]", "cel.path");
    assertEvent("paths", "did you mean \"text\"?");
    bench.patchPublished("paths", "{naming: null, mutation: null, related: null}");
    bench.awaitPublished("paths", seen -> assertThat(condition(seen, "PathsInSchema")).isEmpty());
  }

  private static void publish(String name, String more, String... versions) {
    String group = name + ".example.io";
    bench.createCrd(crd(group, more, versions));
    bench.publish(name, "resource: {apiGroup: %s, kind: Text}\n".formatted(group));
  }

  private static KubeObject crd(String group, String more, String... versions) {
    return TwoClusters.object(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: texts.%s}
        spec:
          group: %s
          scope: Namespaced
          names: {kind: Text, listKind: TextList, plural: texts, singular: text}
        %s
          versions:
        %s
        """,
        group, group, more.indent(2), String.join("\n", versions).indent(2));
  }

  private static String version(String name, String fields, String spec) {
    return """
    - name: %s
      served: true
    %s
      schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
    """
        .formatted(name, fields.indent(2), spec);
  }

  private static KubeObject awaitSchema(String name, String expected) {
    awaitExported(name);
    return bench.awaitPublished(
        name, seen -> assertThat(condition(seen, "SchemaComplete")).isEqualTo(expected));
  }

  private static KubeObject awaitExported(String name) {
    return bench.awaitPublished(
        name, seen -> assertThat(condition(seen, "Exported")).isEqualTo("True Exported"));
  }

  private static String message(KubeObject published) {
    return message(published, "SchemaComplete");
  }

  private static String message(KubeObject published, String type) {
    return published.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.text(condition, "message"))
        .findFirst()
        .orElse("");
  }

  private static KubeObject schemaOf(KubeObject published) {
    return bench
        .provider()
        .find(TwoClusters.SCHEMAS, "", published.text("status", "resourceSchemaName"))
        .orElseThrow();
  }

  private static void assertEvent(String published, String text) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(bench.service().list(ResourceType.core("events"), ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("involvedObject", "name")).isEqualTo(published);
                  assertThat(event.text("reason")).isEqualTo("ReconcilingError");
                  assertThat(event.text("message")).contains(text);
                }));
  }
}
