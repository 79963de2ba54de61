package dev.mooring.sandbox.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.OnKubernetesSandbox;
import dev.mooring.sandbox.SandboxClient.Answer;
import dev.mooring.sandbox.api.status.Conditions;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The life of CustomResourceDefinitions and of their objects, over HTTPS. */
class CustomResourceDefinitionIT extends OnKubernetesSandbox {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  @Test
  void servesWhatADefinitionDefinesUntilItIsGone() {
    String definition = DEFINITIONS + "/globes.life.example.io";
    String globes = "/apis/life.example.io/v1/globes";
    assertThat(client.post(DEFINITIONS, globes("life.example.io", "globes", "Globe")).status())
        .isEqualTo(201);
    await().untilAsserted(() -> assertThat(established(definition)).isTrue());

    Answer made =
        client.post(
            globes,
            object(
                "{apiVersion: life.example.io/v1, kind: Globe, metadata: {name: g, finalizers:"
                    + " [a.io/hold]}, spec: {size: 2, odd: 1}, status: {seen: true}}"));

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().map("spec")).isEqualTo(Map.of("size", 2L, "color", "red"));
    assertThat(made.body().at("status")).isNull();
    assertThat(made.body().generation()).isEqualTo(1);

    assertThat(client.delete(definition).body().finalizers())
        .containsExactly("customresourcecleanup.apiextensions.k8s.io");
    await().untilAsserted(() -> assertThat(client.get(globes + "/g").body().deleting()).isTrue());
    assertThat(
            client
                .post(
                    globes,
                    object(
                        "{apiVersion: life.example.io/v1, kind: Globe, metadata: {name: h}, spec:"
                            + " {size: 1}}"))
                .message())
        .isEqualTo(
            "globes.life.example.io \"h\" is forbidden: create not allowed while custom resource"
                + " definition is terminating");

    client.patch(globes + "/g", "merge", Map.of("metadata", nulls("finalizers")));

    await().untilAsserted(() -> assertThat(client.get(definition).status()).isEqualTo(404));
    assertThat(client.get(globes).status()).isEqualTo(404);
  }

  @Test
  void refusesObjectsThatBreakTheSchema() {
    String definition = DEFINITIONS + "/moons.rules.example.io";
    client.post(DEFINITIONS, globes("rules.example.io", "moons", "Moon"));
    await().untilAsserted(() -> assertThat(established(definition)).isTrue());

    Answer refused =
        client.post(
            "/apis/rules.example.io/v1/moons",
            object(
                "{apiVersion: rules.example.io/v1, kind: Moon, metadata: {name: m}, spec: {size:"
                    + " 0, color: pink}}"));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.message())
        .contains(
            "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1")
        .contains("spec.color: Unsupported value: \"pink\": supported values: \"red\", \"blue\"");
  }

  @Test
  void letsOnlyOneDefinitionHaveAName() {
    client.post(DEFINITIONS, globes("names.example.io", "suns", "Sun"));
    await()
        .untilAsserted(
            () -> assertThat(established(DEFINITIONS + "/suns.names.example.io")).isTrue());
    client.post(DEFINITIONS, globes("names.example.io", "stars", "Sun"));
    String second = DEFINITIONS + "/stars.names.example.io";

    await()
        .untilAsserted(() ->
            assertThat(Conditions.find(client.get(second).body(), "NamesAccepted"))
                .contains(
                    new Conditions.Condition(
                        "NamesAccepted",
                        "False",
                        "ListKindConflict",
                        "\"SunList\" is already in use")));
    client.delete(DEFINITIONS + "/suns.names.example.io");

    await().untilAsserted(() -> assertThat(established(second)).isTrue());
  }

  @Test
  void servesANewSchemaAtOnce() {
    String definition = DEFINITIONS + "/comets.change.example.io";
    String comets = "/apis/change.example.io/v1/comets";
    KubeObject first = globes("change.example.io", "comets", "Comet");
    client.post(DEFINITIONS, first);
    await().untilAsserted(() -> assertThat(established(definition)).isTrue());
    KubeObject comet =
        object(
            "{apiVersion: change.example.io/v1, kind: Comet, metadata: {name: c}, spec: {size:"
                + " 11}}");
    assertThat(client.post(comets, comet).status()).isEqualTo(422);

    Answer changed =
        client.patch(
            definition,
            "merge",
            Map.of("spec", Map.of("versions", globes("", "", "", 20).list("spec", "versions"))));

    assertThat(changed.body().generation()).isEqualTo(2);
    assertThat(client.post(comets, comet).status()).isEqualTo(201);
  }

  private static boolean established(String definition) {
    return client.get(definition).body().hasCondition("Established");
  }

  private static KubeObject globes(String group, String plural, String kind) {
    return globes(group, plural, kind, 10);
  }

  private static KubeObject globes(String group, String plural, String kind, int maximum) {
    return object(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: "%2$s.%1$s"}
        spec:
          group: "%1$s"
          scope: Cluster
          names: {plural: "%2$s", kind: "%3$s"}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      size: {type: integer, minimum: 1, maximum: %4$d}
                      color: {type: string, enum: [red, blue], default: red}
                  status: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """
            .formatted(group, plural, kind, maximum));
  }

  private static KubeObject object(String yaml) {
    return Definitions.object(yaml);
  }

  private static Map<String, Object> nulls(String... keys) {
    var map = new java.util.LinkedHashMap<String, Object>();
    Arrays.stream(keys).forEach(key -> map.put(key, null));
    return map;
  }
}
