package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A published kind as one consumer sees it, in its namespace "default", and its copies.
 *
 * @param source the type in kcp
 * @param target the type on the service cluster
 */
record OrderedKind(
    TwoClusters clusters, ResourceType source, String kind, ResourceType target, String consumer) {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final ResourceType EVENTS = ResourceType.core("events");

  /** Kind Order of an API group of its own, published with these lines of YAML in the spec. */
  static OrderedKind publish(TwoClusters clusters, String id, String... rules) {
    ResourceType type = RelatedStage.crd(clusters, id, "Order");
    publishType(clusters, id, type.group(), "Order", rules);
    return new OrderedKind(clusters, type, "Order", type, "consumer-1");
  }

  static void publishType(
      TwoClusters clusters, String id, String group, String kind, String... rules) {
    clusters
        .service()
        .create(
            PublishedResource.TYPE,
            TwoClusters.object(
                """
                apiVersion: syncagent.kcp.io/v1alpha1
                kind: PublishedResource
                metadata: {name: %s}
                spec:
                  resource: {apiGroup: "%s", kind: %s, version: v1}
                  %s
                """,
                id, group, kind, String.join("\n  ", rules)));
    clusters.awaitCondition(id, "Syncing", "True");
  }

  OrderedKind of(String otherConsumer) {
    return new OrderedKind(clusters, source, kind, target, otherConsumer);
  }

  /** All that the export asks for by now. */
  void acceptClaims() {
    new RelatedStage(clusters, source).acceptClaims(consumer);
  }

  KubeClient workspace() {
    return clusters.consumer(consumer);
  }

  String cluster() {
    return clusters.cluster(consumer).name();
  }

  void order(String name) {
    order(name, Map.of());
  }

  /** Once the consumer's workspace serves the kind. */
  void order(String name, Map<String, String> labels) {
    create(
        TwoClusters.object(
                """
                apiVersion: %s
                kind: %s
                metadata: {namespace: default, name: %s}
                spec: {size: 3}
                """,
                source.apiVersion(), kind, name)
            .with(labels, "metadata", "labels"));
  }

  /** Once the consumer's workspace serves the kind. */
  void create(KubeObject object) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> e instanceof KubeFailure)
        .until(() -> workspace().create(source, object).name().equals(object.name()));
  }

  void patchMetadata(String name, Map<String, ?> metadata) {
    workspace().patch(source, "default", name, Map.of("metadata", metadata));
  }

  /** Null takes the label away. */
  void label(String name, String key, String value) {
    var labels = new HashMap<String, String>();
    labels.put(key, value);
    patchMetadata(name, Map.of("labels", labels));
  }

  void delete(String name) {
    TwoClusters.delete(workspace(), source, "default", name);
  }

  void awaitGone(String name) {
    clusters.eventuallyGone(workspace(), source, "default", name);
  }

  KubeObject read(String name) {
    return workspace().find(source, "default", name).orElseThrow();
  }

  KubeObject awaitSource(String name, Consumer<KubeObject> expected) {
    return clusters.eventually(workspace(), source, "default", name, expected);
  }

  /** The copy, found by its marks, once it is there. */
  KubeObject copy(String name) {
    await().atMost(PATIENCE).until(() -> copies("default", name).size() == 1);
    return copies("default", name).getFirst();
  }

  KubeObject copy(String name, Consumer<KubeObject> expected) {
    KubeObject copy = copy(name);
    return clusters.eventually(clusters.service(), target, copy.namespace(), copy.name(), expected);
  }

  List<KubeObject> copies(String namespace, String name) {
    var key = new ObjectKey(clusters.cluster(consumer), namespace, name);
    return clusters
        .service()
        .list(target, ListQuery.ALL.withLabels(SourceMarks.selector(key)))
        .items();
  }

  /** A condition that names this problem, in words that contain these. */
  void awaitProblem(String published, String reason, String... words) {
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        published,
        resource -> {
          Object condition = syncing(resource);
          assertThat(Trees.at(condition, "status")).isEqualTo("True");
          assertThat(Trees.at(condition, "reason")).isEqualTo(reason);
          assertThat(Trees.textOrEmpty(Trees.at(condition, "message"))).contains(words);
        });
  }

  void awaitNoProblem(String published) {
    clusters.eventually(
        clusters.service(),
        PublishedResource.TYPE,
        "",
        published,
        resource -> {
          assertThat(Trees.at(syncing(resource), "reason")).isEqualTo("Syncing");
          assertThat(resource.at("status", "objects", "failed")).isEqualTo(0L);
        });
  }

  private static Object syncing(KubeObject published) {
    return published.list("status", "conditions").stream()
        .filter(condition -> "Syncing".equals(Trees.at(condition, "type")))
        .findFirst()
        .orElse(Map.of());
  }

  /** With a message that contains these words. */
  void awaitEvent(String name, String reason, String... words) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(workspace().list(EVENTS, ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo(reason);
                  assertThat(event.text("involvedObject", "name")).isEqualTo(name);
                  assertThat(event.text("message")).contains(words);
                }));
  }

  void awaitEvent(String name, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(workspace().list(EVENTS, ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo(reason);
                  assertThat(Trees.at(event.at("involvedObject"), "name")).isEqualTo(name);
                }));
  }
}
