package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Orders of a published type of their own, with related entries. Copies are in the namespace that
 * has the consumer's logical cluster as its name, under the order's own name.
 *
 * @param type the orders', the same on both sides
 */
record RelatedStage(TwoClusters clusters, ResourceType type) {
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * @param id becomes the API group
   * @param related JSON with single quotes, the list's items
   */
  static RelatedStage publish(TwoClusters clusters, String id, String... related) {
    return publish(clusters, id, published -> published, related);
  }

  /**
   * @param more of the PublishedResource
   */
  static RelatedStage publish(
      TwoClusters clusters, String id, UnaryOperator<KubeObject> more, String... related) {
    var type = crd(clusters, id, "Order");
    var stage = new RelatedStage(clusters, type);
    clusters
        .service()
        .create(PublishedResource.TYPE, more.apply(published(id, type, "Order", related)));
    stage.awaitSyncing(id);
    return stage;
  }

  /** With any spec, and a status subresource. */
  static ResourceType crd(TwoClusters clusters, String id, String kind) {
    String group = id + ".example.io";
    String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
    clusters
        .service()
        .create(
            TwoClusters.CRDS,
            object(
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: %2$s.%1$s
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: %3$s, listKind: %3$sList, plural: %2$s, singular: %4$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """,
                group, plural, kind, plural.substring(0, plural.length() - 1)));
    return new ResourceType(group, "v1", plural);
  }

  static KubeObject published(String id, ResourceType type, String kind, String... related) {
    return object(
            """
            apiVersion: syncagent.kcp.io/v1alpha1
            kind: PublishedResource
            metadata:
              name: %s
            spec:
              resource: {apiGroup: %s, kind: %s}
              naming: {name: "{{ .Object.metadata.name }}", namespace: "{{ .ClusterName }}"}
            """,
            id, type.group(), kind)
        .with(
            KubeJson.read(("[" + String.join(",", related) + "]").replace('\'', '"')),
            "spec",
            "related");
  }

  /** The binding was made before: consumers see a new type a little later. */
  private void awaitSyncing(String id) {
    clusters.awaitCondition(id, "Exported", "True");
    acceptClaims("consumer-1");
    acceptClaims("consumer-2");
    clusters.awaitCondition(id, "Syncing", "True");
  }

  void acceptClaims(String consumer) {
    claims(consumer, "", "Accepted", Map.of());
  }

  void rejectClaim(String consumer, String resource) {
    claims(consumer, resource, "Rejected", Map.of("matchAll", true));
  }

  /** The agent sees only what has this label, whatever its value. */
  void narrowClaim(String consumer, String resource, String label) {
    claims(
        consumer,
        resource,
        "Accepted",
        Map.of("matchExpressions", List.of(Map.of("key", label, "operator", "Exists"))));
  }

  private void claims(String consumer, String which, String state, Object selector) {
    KubeObject export = clusters.provider().find(TwoClusters.EXPORTS, "", "certs").orElseThrow();
    var claims = new ArrayList<Object>();
    for (Object claim : export.list("spec", "permissionClaims")) {
      var accepted = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
      boolean isMeant = which.equals(Trees.at(claim, "resource"));
      accepted.put("state", isMeant ? state : "Accepted");
      accepted.put("selector", isMeant ? selector : Map.of("matchAll", true));
      claims.add(accepted);
    }
    answer(clusters.consumer(consumer), claims);
  }

  private static void answer(KubeClient workspace, List<Object> claims) {
    workspace.patch(BINDINGS, "", "certs", Map.of("spec", Map.of("permissionClaims", claims)));
  }

  /** Without its company. */
  OrderedKind kind() {
    return new OrderedKind(clusters, type, "Order", type, "consumer-1");
  }

  KubeClient consumer() {
    return clusters.consumer("consumer-1");
  }

  KubeClient service() {
    return clusters.service();
  }

  /** The namespace of the first consumer's copies. */
  String local() {
    return clusters.cluster("consumer-1").name();
  }

  /**
   * @param spec JSON with single quotes
   */
  void order(KubeClient workspace, String name, String spec) {
    KubeObject order =
        object(
                """
                apiVersion: %s
                kind: Order
                metadata: {namespace: default, name: "%s"}
                """,
                type.apiVersion(), name)
            .with(KubeJson.read(spec.replace('\'', '"')), "spec");
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> e instanceof KubeFailure)
        .until(() -> workspace.create(type, order).name().equals(name));
  }

  /** Its PublishedResource has these entries from now on. */
  void relate(String id, String... related) {
    service()
        .patch(
            PublishedResource.TYPE,
            "",
            id,
            Map.of(
                "spec",
                Map.of(
                    "related",
                    KubeJson.read(("[" + String.join(",", related) + "]").replace('\'', '"')))));
  }

  void order(String name) {
    order(consumer(), name, "{}");
  }

  /** The order's copy, once there is one. */
  KubeObject copy(String name) {
    return clusters.eventually(service(), type, local(), name, _ -> {});
  }

  void deleteOrder(String name) {
    TwoClusters.delete(consumer(), type, "default", name);
  }

  void awaitOrderGone(String name) {
    clusters.eventuallyGone(consumer(), type, "default", name);
  }

  /** Makes the namespace, too. */
  KubeObject secret(KubeClient client, String namespace, String name, String value) {
    return secret(client, namespace, name, value, Map.of());
  }

  KubeObject secret(
      KubeClient client, String namespace, String name, String value, Map<String, String> labels) {
    namespace(client, namespace);
    return client.create(
        SECRETS,
        object(
                """
                apiVersion: v1
                kind: Secret
                metadata: {namespace: %s, name: %s}
                data: {password: %s}
                """,
                namespace, name, value)
            .with(labels, "metadata", "labels"));
  }

  static void namespace(KubeClient client, String name) {
    try {
      client.create(
          TwoClusters.NAMESPACES,
          object("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}", name));
    } catch (KubeFailure e) {
      assertThat(e.kind()).isEqualTo(KubeFailure.Kind.ALREADY_EXISTS);
    }
  }

  /** The Secret, once it has the value; nothing in it tells that it was synced. */
  KubeObject awaitSecret(KubeClient client, String namespace, String name, String value) {
    KubeObject secret =
        clusters.eventually(
            client,
            SECRETS,
            namespace,
            name,
            seen -> assertThat(seen.text("data", "password")).isEqualTo(value));
    assertThat(secret.labels().keySet()).noneMatch(key -> key.startsWith("syncagent.kcp.io/"));
    assertThat(secret.annotations().keySet()).isSubsetOf("kcp.io/cluster");
    return secret;
  }

  void awaitNoSecret(KubeClient client, String namespace, String name) {
    clusters.eventuallyGone(client, SECRETS, namespace, name);
  }

  /** A warning in the consumer's workspace about the order. */
  void awaitWarning(String order, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(consumer().list(ResourceType.core("events"), ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo(reason);
                  assertThat(event.text("involvedObject", "name")).isEqualTo(order);
                }));
  }

  /** What the agent remembers of the order's related objects. */
  List<KubeObject> records(String order) {
    return service().list(SECRETS, ListQuery.ALL).items().stream()
        .filter(secret -> secret.labels().containsKey("syncagent.kcp.io/related-object"))
        .filter(secret -> secret.annotations().containsValue(order))
        .toList();
  }
}
