package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.syncagent.published.PublishedResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the agent adds to an APIExport, and what it leaves there. Each test has its own export. */
abstract class ExportMergeContract {
  private static final ResourceType OLD_EXPORTS =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexports");

  private PublishingBench bench;

  abstract TestKcp kcp();

  abstract Path directory();

  @AfterEach
  void closes() {
    bench.close();
  }

  @Test
  void claimsExactlyWhatRelatedEntriesNeedAsBothVersionsOfTheExportShow() {
    bench = new PublishingBench(kcp(), directory());
    bench.createCrd(ThingCrds.things("claims.example.io", "v1"));
    bench.publish("claims", of("claims.example.io"));
    bench.startAgent("--mooring.sync-agent.service-title=Things as you like them");
    awaitClaims("events");

    relate("claims", List.of("identifier: a, origin: kcp, kind: Secret"));
    awaitClaims("events", "namespaces", "secrets");
    relate(
        "claims",
        List.of(
            "identifier: a, origin: kcp, kind: Secret",
            "identifier: b, origin: service, kind: Secret",
            "identifier: c, origin: kcp, kind: ConfigMap"));
    awaitClaims("configmaps", "events", "namespaces", "secrets");

    KubeObject old = bench.provider().find(OLD_EXPORTS, "", PublishingBench.EXPORT).orElseThrow();
    assertThat(old.list("spec", "permissionClaims"))
        .extracting(claim -> Trees.at(claim, "resource") + " " + Trees.at(claim, "all"))
        .containsExactly("configmaps true", "events true", "namespaces true", "secrets true");
    assertThat(old.list("spec", "latestResourceSchemas"))
        .containsExactly(bench.published("claims").text("status", "resourceSchemaName"));
    assertThat(old.annotation("syncagent.kcp.io/service-title"))
        .contains("Things as you like them");
    assertThat(old.annotation("syncagent.kcp.io/agent-name")).contains("offers-syncagent");
    assertTold("AddingResourceSchemas", "AddingPermissionClaims");
  }

  @Test
  void keepsForeignSchemasAndClaimsAndReplacesOnlyItsOwn() {
    String group = "merged.example.io";
    bench = new PublishingBench(kcp(), directory());
    bench
        .provider()
        .patch(
            TwoClusters.EXPORTS,
            "",
            PublishingBench.EXPORT,
            Map.of(
                "spec",
                Map.of(
                    "resources",
                    List.of(resource("fakes.example.io", "fakes"), resource(group, "things")),
                    "permissionClaims",
                    List.of(
                        Map.of("group", "", "resource", "configmaps", "verbs", List.of("*")),
                        Map.of(
                            "group",
                            "",
                            "resource",
                            "secrets",
                            "verbs",
                            List.of("get", "list"))))));
    bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish(
        "merged",
        of(group)
            + """
            synchronization: {enabled: true, claimVerbs: [get, list, watch]}
            related:
            - {identifier: a, origin: kcp, kind: Secret, object: {reference: {path: spec.color}}}
            """);
    bench.startAgent();

    String first = awaitSchema("merged", group, "v0.things." + group);
    assertThat(schemas()).containsExactlyInAnyOrder("v0.fakes.fakes.example.io", first);
    assertThat(claims())
        .containsExactly(
            "configmaps [*]",
            "events [get, list, watch]",
            "namespaces [get, list, watch]",
            "secrets [get, list]");
    assertTold("RemovingResourceSchemas");

    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "merged",
            Map.of("spec", Map.of("projection", Map.of("scope", "Cluster"))));
    String second = awaitSchema("merged", group, first);
    assertThat(schemas()).containsExactlyInAnyOrder("v0.fakes.fakes.example.io", second);

    // A new name is a new API: the old one stays, and that takes an approval.
    project(Map.of("kind", "Gizmo"), "RequireApproval");
    bench.awaitPublished(
        "merged",
        seen ->
            assertThat(PublishingBench.condition(seen, "SchemaCompatible"))
                .isEqualTo("False ApprovalRequired"));
    assertThat(schemas()).containsExactlyInAnyOrder("v0.fakes.fakes.example.io", second);
    project(Map.of("kind", "Gizmo"), "Apply");
    String renamed =
        bench
            .awaitPublished(
                "merged",
                seen ->
                    assertThat(seen.text("status", "resourceSchemaName"))
                        .endsWith(".gizmos." + group))
            .text("status", "resourceSchemaName");
    assertThat(schemas()).containsExactlyInAnyOrder("v0.fakes.fakes.example.io", second, renamed);

    bench
        .service()
        .delete(PublishedResource.TYPE, "", "merged", new DeleteCondition.Unconditional());
    bench.createCrd(ThingCrds.things("other.example.io", "v1"));
    bench.publish("other", of("other.example.io"));
    String other = awaitSchema("other", "other.example.io", "");
    assertThat(schemas())
        .containsExactlyInAnyOrder("v0.fakes.fakes.example.io", second, renamed, other);
  }

  private void project(Map<String, Object> projection, String schemaChanges) {
    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "merged",
            Map.of(
                "spec",
                Map.of(
                    "projection",
                    projection,
                    "synchronization",
                    Map.of("schemaChanges", schemaChanges))));
  }

  @Test
  void saysThatTheExportIsMissingUntilItIsThere() {
    bench = new PublishingBench(kcp(), directory());
    bench.createCrd(ThingCrds.things("missing.example.io", "v1"));
    bench.publish("missing", of("missing.example.io"));
    bench.startAgent();
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> assertThat(exported()).isEqualTo("True Exported"));

    bench
        .provider()
        .delete(
            TwoClusters.EXPORTS, "", PublishingBench.EXPORT, new DeleteCondition.Unconditional());
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> assertThat(exported()).isEqualTo("False ExportNotFound"));
    bench.provider().create(TwoClusters.EXPORTS, TwoClusters.manifest("/publishing/export.yaml"));

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> assertThat(exported()).isEqualTo("True Exported"));
  }

  private String exported() {
    return PublishingBench.condition(bench.published("missing"), "Exported");
  }

  private static String of(String group) {
    return "resource: {apiGroup: %s, kind: Thing}\n".formatted(group);
  }

  private void relate(String name, List<String> entries) {
    List<Object> related =
        entries.stream()
            .map(entry ->
                TwoClusters.object(
                    "{%s, object: {reference: {path: spec.color}}}".formatted(entry)))
            .<Object>map(KubeObject::tree)
            .toList();
    bench
        .service()
        .patch(PublishedResource.TYPE, "", name, Map.of("spec", Map.of("related", related)));
  }

  private static Map<String, Object> resource(String group, String plural) {
    return Map.of(
        "group",
        group,
        "name",
        plural,
        "schema",
        "v0." + plural + "." + group,
        "storage",
        Map.of("crd", Map.of()));
  }

  private void awaitClaims(String... resources) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(bench.export().list("spec", "permissionClaims"))
                .extracting(claim -> Trees.at(claim, "resource") + " " + Trees.at(claim, "verbs"))
                .containsExactly(
                    List.of(resources).stream().map(r -> r + " [*]").toArray(String[]::new)));
  }

  private List<String> claims() {
    return bench.export().list("spec", "permissionClaims").stream()
        .map(claim -> Trees.at(claim, "resource") + " " + Trees.at(claim, "verbs"))
        .toList();
  }

  private List<String> schemas() {
    return bench.export().list("spec", "resources").stream()
        .map(entry -> Trees.textOrEmpty(Trees.at(entry, "schema")))
        .toList();
  }

  /** The schema by which the export serves the group's things, once it is another. */
  private String awaitSchema(String published, String group, String before) {
    bench.awaitPublished(
        published,
        seen ->
            assertThat(schemas())
                .contains(seen.text("status", "resourceSchemaName"))
                .doesNotContain(before));
    return schemas().stream().filter(name -> name.endsWith(group)).findFirst().orElseThrow();
  }

  private void assertTold(String... reasons) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> assertThat(told()).containsAll(List.of(reasons)));
  }

  private Set<String> told() {
    var reasons = new TreeSet<String>();
    for (KubeObject event :
        bench.provider().list(ResourceType.core("events"), ListQuery.ALL).items()) {
      if (event.text("involvedObject", "name").equals(PublishingBench.EXPORT)) {
        reasons.add(event.text("reason"));
      }
    }
    return reasons;
  }
}
