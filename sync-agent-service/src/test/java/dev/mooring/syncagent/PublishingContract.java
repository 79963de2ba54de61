package dev.mooring.syncagent;

import static dev.mooring.syncagent.PublishingBench.condition;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.sync.ObjectSync;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * From PublishedResource to schema and export, and what changes of either do to objects. Each test
 * has an API group of its own. Subclasses say on which kcp.
 */
abstract class PublishingContract {
  private static PublishingBench bench;
  private static WorkspacePath consumer;

  static void enter(TestKcp kcp, Path directory) {
    bench = new PublishingBench(kcp, directory);
    bench.startAgent("--mooring.sync-agent.published-resource-selector=!hidden");
    consumer = bench.bindConsumer();
  }

  static void leave() {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }

  @Test
  void makesASchemaThatTheExportLists() {
    bench.createCrd(ThingCrds.things("plain.example.io", "v1"));
    bench.publish("plain", of("plain.example.io"));

    KubeObject published = awaitExported("plain");

    String name = published.text("status", "resourceSchemaName");
    assertThat(bench.provider().find(SCHEMAS, "", name)).isPresent();
    assertThat(listed("plain.example.io")).contains(name);
    assertThat(published.at("status", "observedGeneration")).isEqualTo(published.generation());
  }

  @Test
  void followsAnEditedCrdToASecondSchemaAndKeepsTheFirst() {
    String group = "edited.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("edited", of(group));
    String first = awaitExported("edited").text("status", "resourceSchemaName");
    syncs(group, "before", Map.of("color", "red"));

    bench
        .service()
        .patch(TwoClusters.CRDS, "", crd.name(), ThingCrds.withFields(crd, "color", "shape"));

    KubeObject published = awaitExported("edited", name -> !name.equals(first));
    assertThat(bench.provider().find(SCHEMAS, "", first)).isPresent();
    assertThat(listed(group)).contains(published.text("status", "resourceSchemaName"));
    assertThat(condition(published, "SchemaCompatible")).isEqualTo("False BreakingChange");
    syncsEventually(group, "after", Map.of("color", "red", "shape", "round"));
  }

  @Test
  void usesTheOldSchemaAgainWhenAChangeIsUndone() {
    String group = "undone.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("undone", of(group));
    String first = awaitExported("undone").text("status", "resourceSchemaName");

    bench
        .service()
        .patch(TwoClusters.CRDS, "", crd.name(), ThingCrds.withFields(crd, "color", "shape"));
    awaitExported("undone", name -> !name.equals(first));
    bench
        .service()
        .patch(
            TwoClusters.CRDS,
            "",
            crd.name(),
            Map.of("spec", Map.of("versions", crd.list("spec", "versions"))));

    awaitExported("undone", first::equals);
    assertThat(listed(group)).contains(first);
  }

  @Test
  void holdsABreakingChangeUntilItIsApproved() {
    String group = "gated.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish(
        "gated", of(group) + "synchronization: {enabled: true, schemaChanges: RequireApproval}\n");
    String first = awaitExported("gated").text("status", "resourceSchemaName");

    bench.service().patch(TwoClusters.CRDS, "", crd.name(), ThingCrds.withFields(crd, "shape"));

    KubeObject held =
        bench.awaitPublished(
            "gated",
            seen ->
                assertThat(condition(seen, "SchemaCompatible"))
                    .isEqualTo("False ApprovalRequired"));
    assertThat(held.text("status", "resourceSchemaName")).isEqualTo(first);
    assertThat(listed(group)).contains(first);
    String wanted = wanted(held);
    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "gated",
            Map.of(
                "metadata",
                Map.of("annotations", Map.of("syncagent.kcp.io/approved-schema", wanted))));

    awaitExported("gated", wanted::equals);
    assertThat(listed(group)).contains(wanted);
  }

  @Test
  void publishesOnlyTheSelectedVersion() {
    String group = "selected.example.io";
    bench.createCrd(ThingCrds.things(group, "v1", "v2"));
    bench.publish("selected", of(group, "[v2]"));

    assertThat(versions(schemaOf(awaitExported("selected")))).containsExactly("v2 true");
  }

  @Test
  void publishesSelectedVersionsInWhicheverOrderTheyAreNamed() {
    String group = "several.example.io";
    bench.createCrd(ThingCrds.things(group, "v1", "v2", "v3"));
    bench.publish("several", of(group, "[v2, v1]"));

    assertThat(versions(schemaOf(awaitExported("several")))).containsExactly("v1 true", "v2 false");
  }

  @Test
  void syncsInAPublishedVersionWhereTheStoredOneIsNotPublished() {
    String group = "unstored.example.io";
    bench.createCrd(ThingCrds.things(group, "v3", "v1", "v2"));
    bench.publish("unstored", of(group, "[v2, v1]"));

    assertThat(versions(schemaOf(awaitExported("unstored"))))
        .containsExactly("v1 false", "v2 true");
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(sync("unstored").map(sync -> sync.status().describe().get("serviceType")))
                .contains("things.v2." + group));
  }

  @Test
  void projectsEverythingAtOnce() {
    String group = "projected.example.io";
    bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish(
        "projected",
        of(group)
            + """
            projection:
              versions: {v1: v9}
              scope: Cluster
              kind: Gadget
              plural: gadgetry
              shortNames: [gg]
            """);

    KubeObject schema = schemaOf(awaitExported("projected"));

    assertThat(versions(schema)).containsExactly("v9 true");
    assertThat(schema.text("spec", "scope")).isEqualTo("Cluster");
    assertThat(schema.map("spec", "names"))
        .isEqualTo(
            Map.of(
                "kind", "Gadget",
                "listKind", "GadgetList",
                "singular", "gadget",
                "plural", "gadgetry",
                "shortNames", List.of("gg")));
  }

  @Test
  void publishesAndSyncsATypeWithoutACrdInAnotherGroup() {
    bench.grantPublished("rbac.authorization.k8s.io", "roles");
    bench.publish(
        "roles",
        """
        resource: {apiGroup: rbac.authorization.k8s.io, kind: Role}
        projection: {group: access.example.io}
        naming: {name: "{{ .Object.metadata.name }}"}
        """);
    KubeObject schema = schemaOf(awaitExported("roles"));
    assertThat(schema.map("spec", "names"))
        .containsEntry("kind", "Role")
        .containsEntry("listKind", "RoleList")
        .containsEntry("plural", "roles")
        .containsEntry("singular", "role");

    // Rights that the agent has: Kubernetes lets no user grant more.
    KubeObject role =
        TwoClusters.object(
            """
            apiVersion: access.example.io/v1
            kind: Role
            metadata: {namespace: default, name: reader}
            rules:
            - apiGroups: [""]
              resources: [secrets]
              verbs: [get, list]
            """);
    bench.create(consumer, new ResourceType("access.example.io", "v1", "roles"), role);

    bench.eventually(
        bench.service(),
        new ResourceType("rbac.authorization.k8s.io", "v1", "roles"),
        cluster(),
        "reader",
        copy -> assertThat(copy.list("rules")).isEqualTo(role.list("rules")));
  }

  @Test
  void leavesOthersAloneWhereOneCannotBePublished() {
    bench.createCrd(ThingCrds.things("good.example.io", "v1"));
    bench.createCrd(ThingCrds.things("unserved.example.io", "v1", "!v2"));
    bench.publish("bad-kind", "resource: {apiGroup: nowhere.example.io, kind: Thing}\n");
    bench.publish("bad-version", of("unserved.example.io", "[v2, v7]"));
    bench.publish("good", of("good.example.io"));

    awaitExported("good");
    syncsEventually("good.example.io", "fine", Map.of("color", "red"));

    KubeObject unknown = awaitCondition("bad-kind", "Accepted", "False ResourceNotFound");
    awaitCondition("bad-version", "Accepted", "False VersionNotServed");
    assertTold(unknown, "serves no kind Thing");
  }

  @Test
  void refusesRulesThatCannotWorkBeforeAnyObjectIsTouched() {
    bench.publish(
        "bad-template",
        """
        resource: {apiGroup: nowhere.example.io, kind: Templated}
        naming: {name: "{{ .Nope }}"}
        """);
    bench.publish(
        "bad-regex",
        """
        resource: {apiGroup: nowhere.example.io, kind: Rewritten}
        mutation: {spec: [{regex: {path: spec.a, pattern: "("}}]}
        """);
    bench.publish(
        "bad-cel",
        """
        resource: {apiGroup: nowhere.example.io, kind: Expressed}
        mutation: {spec: [{cel: {path: spec.a, expression: "self."}}]}
        """);

    assertTold(awaitCondition("bad-template", "Accepted", "False InvalidTemplate"), "Nope");
    assertTold(
        awaitCondition("bad-regex", "Accepted", "False InvalidMutation"),
        "spec.mutation.spec[0].regex: the pattern is not valid");
    assertTold(
        awaitCondition("bad-cel", "Accepted", "False InvalidMutation"),
        "spec.mutation.spec[0].cel: the CEL expression is not valid");
  }

  @Test
  void publishesATypeAsSoonAsItsCrdIsThere() {
    bench.publish("late", of("late.example.io"));
    awaitCondition("late", "Accepted", "False ResourceNotFound");

    bench.createCrd(ThingCrds.things("late.example.io", "v1"));

    awaitExported("late");
  }

  @Test
  void refusesTheLaterOfTwoForOneKindUntilTheFirstIsGone() {
    String group = "twice.example.io";
    bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("twice-1", of(group));
    awaitExported("twice-1");
    bench.publish("twice-2", of(group) + "projection: {kind: Other}\n");
    awaitCondition("twice-2", "Accepted", "False DuplicateResource");

    bench
        .service()
        .delete(PublishedResource.TYPE, "", "twice-1", new DeleteCondition.Unconditional());

    awaitExported("twice-2");
  }

  @Test
  void stopsSyncingWhenItIsDeletedOrNoLongerSelected() {
    for (String name : List.of("deleted", "hidden")) {
      bench.createCrd(ThingCrds.things(name + ".example.io", "v1"));
      bench.publish(name, of(name + ".example.io"));
      awaitCondition(name, "Syncing", "True Syncing");
    }
    String schema = bench.published("deleted").text("status", "resourceSchemaName");

    bench
        .service()
        .delete(PublishedResource.TYPE, "", "deleted", new DeleteCondition.Unconditional());
    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "hidden",
            Map.of("metadata", Map.of("labels", Map.of("hidden", "true"))));

    for (String name : List.of("deleted", "hidden")) {
      await().atMost(TestWorkspaces.PATIENCE).until(() -> sync(name).isEmpty());
    }
    assertThat(listed("deleted.example.io")).contains(schema);
  }

  @Test
  void restartsSyncingByAnEditedPublishedResource() {
    String group = "renamed.example.io";
    bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("renamed", of(group));
    awaitExported("renamed");
    syncs(group, "old", Map.of("color", "red"));

    bench
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "renamed",
            Map.of("spec", Map.of("naming", Map.of("name", "new-{{ .Object.metadata.name }}"))));
    awaitCondition("renamed", "Syncing", "True Syncing");
    bench.create(
        consumer, ThingCrds.type(group), ThingCrds.thing(group, "thing", Map.of("color", "blue")));

    bench.eventually(
        bench.service(),
        ThingCrds.type(group),
        cluster(),
        "new-thing",
        copy -> assertThat(copy.text("spec", "color")).isEqualTo("blue"));
  }

  @Test
  void stopsSyncingWhenTheCrdGoesAndGoesOnWhenItIsBack() {
    String group = "gone.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("gone", of(group));
    awaitCondition("gone", "Syncing", "True Syncing");

    bench.service().delete(TwoClusters.CRDS, "", crd.name(), new DeleteCondition.Unconditional());
    awaitCondition("gone", "Accepted", "False ResourceNotFound");
    assertThat(sync("gone")).isEmpty();
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> bench.service().find(TwoClusters.CRDS, "", crd.name()).isEmpty());
    bench.createCrd(crd);

    awaitExported("gone");
    syncsEventually(group, "again", Map.of("color", "red"));
  }

  @Test
  void takesACrdThatIsBeingDeletedForGoneThoughItsTypeIsServed() {
    String group = "going.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("going", of(group));
    String schema = awaitExported("going").text("status", "resourceSchemaName");
    hold(crd, List.of("example.io/hold"));

    bench.service().delete(TwoClusters.CRDS, "", crd.name(), new DeleteCondition.Unconditional());
    awaitCondition("going", "Accepted", "False ResourceNotFound");

    assertThat(listed(group)).contains(schema);
    hold(crd, List.of());
  }

  private static void hold(KubeObject crd, List<String> finalizers) {
    bench
        .service()
        .patch(
            TwoClusters.CRDS, "", crd.name(), Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  @Test
  void countsObjectsInTheStatus() {
    String group = "counted.example.io";
    bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("counted", of(group));
    awaitExported("counted");
    syncs(group, "one", Map.of("color", "red"));
    syncs(group, "two", Map.of("color", "red"));

    bench.awaitPublished(
        "counted",
        seen ->
            assertThat(seen.map("status", "objects"))
                .isEqualTo(Map.of("synced", 2L, "pending", 0L, "failed", 0L)));
  }

  @Test
  void bringsNoStatusToATypeWithoutTheSubresourceAndSaysSo() {
    String group = "stateless.example.io";
    KubeObject crd = ThingCrds.things(group, "v1");
    KubeObject version =
        KubeObject.of(Trees.mapOrEmpty(crd.list("spec", "versions").getFirst()))
            .without("subresources");
    bench.createCrd(crd.with(List.of(version.tree()), "spec", "versions"));
    bench.publish("stateless", of(group));
    KubeObject published = awaitExported("stateless");
    assertThat(message(published, "Accepted")).contains("no status subresource");
    KubeObject copy = syncs(group, "one", Map.of("color", "red"));

    bench
        .service()
        .patch(
            ThingCrds.type(group),
            copy.namespace(),
            copy.name(),
            Map.of("status", Map.of("phase", "Ready")));
    bench
        .consumer(consumer)
        .patch(ThingCrds.type(group), "default", "one", Map.of("spec", Map.of("color", "blue")));

    bench.eventually(
        bench.service(),
        ThingCrds.type(group),
        copy.namespace(),
        copy.name(),
        seen -> assertThat(seen.text("spec", "color")).isEqualTo("blue"));
    assertThat(
            bench
                .consumer(consumer)
                .find(ThingCrds.type(group), "default", "one")
                .orElseThrow()
                .map("status"))
        .isEmpty();
    assertThat(sync("stateless").orElseThrow().status().countsSoFar().failed()).isZero();
  }

  @Test
  void prunesOldSchemasThatNothingUses() {
    String group = "pruned.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("pruned", of(group) + "synchronization: {enabled: true, prune: {keep: 0}}\n");
    String first = awaitExported("pruned").text("status", "resourceSchemaName");

    bench
        .service()
        .patch(TwoClusters.CRDS, "", crd.name(), ThingCrds.withFields(crd, "color", "shape"));

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> bench.provider().find(SCHEMAS, "", first).isEmpty());
    assertThat(listed(group)).isPresent().isNotEqualTo(Optional.of(first));
  }

  @Test
  void makesASchemaAgainThatWasPrunedOrDeleted() {
    String group = "remade.example.io";
    KubeObject crd = bench.createCrd(ThingCrds.things(group, "v1"));
    bench.publish("remade", of(group) + "synchronization: {enabled: true, prune: {keep: 0}}\n");
    String first = awaitExported("remade").text("status", "resourceSchemaName");
    bench
        .service()
        .patch(TwoClusters.CRDS, "", crd.name(), ThingCrds.withFields(crd, "color", "shape"));
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> bench.provider().find(SCHEMAS, "", first).isEmpty());

    bench
        .service()
        .patch(
            TwoClusters.CRDS,
            "",
            crd.name(),
            Map.of("spec", Map.of("versions", crd.list("spec", "versions"))));
    awaitExported("remade", first::equals);

    assertThat(listed(group)).contains(first);
    KubeObject made = bench.provider().find(SCHEMAS, "", first).orElseThrow();

    bench.provider().delete(SCHEMAS, "", first, new DeleteCondition.SameObject(made.uid()));

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(bench.provider().find(SCHEMAS, "", first))
                .hasValueSatisfying(again -> assertThat(again.uid()).isNotEqualTo(made.uid())));
  }

  private static String of(String group) {
    return """
    resource: {apiGroup: %s, kind: Thing}
    naming: {name: "{{ .Object.metadata.name }}"}
    """
        .formatted(group);
  }

  private static String of(String group, String versions) {
    return """
    resource: {apiGroup: %s, kind: Thing, versions: %s}
    naming: {name: "{{ .Object.metadata.name }}"}
    """
        .formatted(group, versions);
  }

  private static KubeObject awaitExported(String name) {
    return awaitCondition(name, "Exported", "True Exported");
  }

  /** Once the export lists a schema of an expected name. */
  private static KubeObject awaitExported(String name, Predicate<String> schemaName) {
    return bench.awaitPublished(
        name,
        seen -> {
          assertThat(condition(seen, "Exported")).isEqualTo("True Exported");
          assertThat(seen.text("status", "resourceSchemaName")).matches(schemaName);
        });
  }

  private static KubeObject awaitCondition(String name, String type, String expected) {
    return bench.awaitPublished(
        name, seen -> assertThat(condition(seen, type)).isEqualTo(expected));
  }

  private static String message(KubeObject object, String type) {
    return object.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElse("");
  }

  /** Name of the schema that waits, as the condition gives it to whoever approves. */
  private static String wanted(KubeObject held) {
    String message = message(held, "SchemaCompatible");
    return message.substring(message.lastIndexOf('=') + 1);
  }

  private static Optional<String> listed(String group) {
    return bench.export().list("spec", "resources").stream()
        .filter(entry -> group.equals(Trees.at(entry, "group")))
        .map(entry -> Trees.textOrEmpty(Trees.at(entry, "schema")))
        .findFirst();
  }

  private static KubeObject schemaOf(KubeObject published) {
    return bench
        .provider()
        .find(SCHEMAS, "", published.text("status", "resourceSchemaName"))
        .orElseThrow();
  }

  private static List<String> versions(KubeObject schema) {
    return schema.list("spec", "versions").stream()
        .map(version -> Trees.at(version, "name") + " " + Trees.at(version, "storage"))
        .toList();
  }

  private static Optional<ObjectSync> sync(String name) {
    return bench.agentBean(SyncAgent.class).syncs().stream()
        .filter(sync -> sync.publishedName().equals(name))
        .findFirst();
  }

  private static String cluster() {
    return bench
        .consumer(consumer)
        .find(TwoClusters.NAMESPACES, "", "default")
        .flatMap(KubeObject::logicalCluster)
        .orElseThrow()
        .name();
  }

  private static KubeObject syncs(String group, String name, Map<String, Object> spec) {
    bench.create(consumer, ThingCrds.type(group), ThingCrds.thing(group, name, spec));
    return bench.eventually(
        bench.service(),
        ThingCrds.type(group),
        cluster(),
        name,
        copy -> assertThat(copy.map("spec")).isEqualTo(spec));
  }

  /** As {@link #syncs}, where the consumer's workspace may still serve an older schema. */
  private static void syncsEventually(String group, String name, Map<String, Object> spec) {
    bench.create(consumer, ThingCrds.type(group), ThingCrds.thing(group, name, spec));
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() ->
            bench
                .consumer(consumer)
                .patch(ThingCrds.type(group), "default", name, Map.of("spec", spec))
                .map("spec")
                .equals(spec));
    bench.eventually(
        bench.service(),
        ThingCrds.type(group),
        cluster(),
        name,
        copy -> assertThat(copy.map("spec")).isEqualTo(spec));
  }

  private static void assertTold(KubeObject published, String what) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(bench.service().list(ResourceType.core("events"), ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("involvedObject", "name")).isEqualTo(published.name());
                  assertThat(event.text("reason")).isEqualTo("ReconcilingError");
                  assertThat(event.text("message")).contains(what);
                }));
  }
}
