package dev.mooring.syncagent;

import static dev.mooring.syncagent.Certificates.hasKey;
import static dev.mooring.syncagent.TwoClusters.CERTIFICATES;
import static dev.mooring.syncagent.TwoClusters.EXPORTS;
import static dev.mooring.syncagent.TwoClusters.SCHEMAS;
import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.WIDGETS;
import static dev.mooring.syncagent.TwoClusters.condition;
import static dev.mooring.syncagent.TwoClusters.delete;
import static dev.mooring.syncagent.TwoClusters.manifest;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole agent between two servers. Each test has objects of its own. */
class SyncAgentIT {
  private static final String CLEANUP = "syncagent.kcp.io/cleanup";
  private static final String SHA1_OF_DEFAULT = "7505d64a54e061b7acd54ccd58b49dc43500b635";
  private static final String SHA1_OF_WEB = "ca84d1343b96baa8137c943ed1860e522cacb238";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();
  private static Certificates first;
  private static Certificates second;

  @BeforeAll
  static void starts() throws Exception {
    first = new Certificates(clusters, "consumer-1");
    second = new Certificates(clusters, "consumer-2");
  }

  @Test
  void publishesASchemaAndListsItInTheExportWithClaims() {
    KubeObject published =
        clusters.service().find(PublishedResource.TYPE, "", "certificates").orElseThrow();
    assertThat(List.of("Accepted", "SchemaPublished", "Exported", "Syncing"))
        .allSatisfy(type -> assertThat(condition(published, type)).isEqualTo("True"));

    String schemaName = published.text("status", "resourceSchemaName");
    KubeObject schema = clusters.provider().find(SCHEMAS, "", schemaName).orElseThrow();
    assertThat(schema.text("spec", "group")).isEqualTo("certs.example.io");
    assertThat(schema.text("spec", "names", "kind")).isEqualTo("Certificate");
    assertThat(schema.annotation("syncagent.kcp.io/agent-name")).contains("certs-syncagent");

    KubeObject export = clusters.provider().find(EXPORTS, "", "certs").orElseThrow();
    assertThat(export.list("spec", "resources"))
        .anySatisfy(entry -> {
          assertThat(Trees.at(entry, "name")).isEqualTo("certificates");
          assertThat(Trees.at(entry, "group")).isEqualTo("certs.example.io");
          assertThat(Trees.at(entry, "schema")).isEqualTo(schemaName);
        });
    assertThat(export.list("spec", "permissionClaims"))
        .extracting(claim -> Trees.at(claim, "resource"))
        .containsExactly("events", "namespaces", "secrets");
  }

  @Test
  void keepsEquallyNamedObjectsOfTwoWorkspacesApart() {
    first.order("web");
    second.order("web");

    for (Certificates certificates : List.of(first, second)) {
      String cluster = certificates.cluster();
      KubeObject copy = certificates.copy("web");
      assertThat(copy.labels())
          .containsEntry("syncagent.kcp.io/agent-name", "certs-syncagent")
          .containsEntry("syncagent.kcp.io/remote-object-cluster", cluster)
          .containsEntry("syncagent.kcp.io/remote-object-namespace-hash", SHA1_OF_DEFAULT)
          .containsEntry("syncagent.kcp.io/remote-object-name-hash", SHA1_OF_WEB);
      assertThat(copy.annotations())
          .containsEntry("syncagent.kcp.io/remote-object-namespace", "default")
          .containsEntry("syncagent.kcp.io/remote-object-name", "web")
          .doesNotContainKey("kcp.io/cluster");
      assertThat(copy.list("spec", "dnsNames")).containsExactly("web.example.io");
      assertThat(certificates.source("web").finalizers()).containsExactly(CLEANUP);
    }
  }

  @Test
  void bringsEditsDownAndLeavesFieldsThatOnlyTheCopyHas() {
    first.order("edited");
    KubeObject copy = first.copy("edited");
    clusters
        .service()
        .patch(
            CERTIFICATES,
            copy.namespace(),
            copy.name(),
            Map.of("spec", Map.of("issuer", "the-operators-choice")));

    clusters
        .consumer("consumer-1")
        .patch(
            CERTIFICATES,
            "default",
            "edited",
            Map.of("spec", Map.of("dnsNames", List.of("new.example.io"))));

    KubeObject after =
        first.copy(
            "edited",
            seen -> assertThat(seen.list("spec", "dnsNames")).containsExactly("new.example.io"));
    assertThat(after.text("spec", "issuer")).isEqualTo("the-operators-choice");
    assertThat(first.source("edited").map("spec")).doesNotContainKey("issuer");
  }

  @Test
  void bringsTheStatusUp() {
    second.order("reported");
    KubeObject copy = second.copy("reported");
    second.report(copy, "Issued");

    second.awaitPhase("reported", "Issued");

    second.report(copy, "Expired");
    second.awaitPhase("reported", "Expired");

    clusters
        .service()
        .patchStatus(
            CERTIFICATES, copy.namespace(), copy.name(), Collections.singletonMap("status", null));
    second.awaitPhase("reported", "");
  }

  @Test
  void bringsTheSecretUpRotatesItAndRemovesItWithTheOriginal() {
    first.order("secured");
    KubeObject copy = first.copy("secured");
    first.issue(copy, "secured-tls", "b25l");
    KubeClient consumer = clusters.consumer("consumer-1");
    clusters.eventually(
        consumer, SECRETS, "default", "secured-tls", secret -> hasKey(secret, "b25l"));

    clusters
        .service()
        .patch(SECRETS, copy.namespace(), "secured-tls", Map.of("data", Map.of("tls.key", "dHdv")));
    clusters.eventually(
        consumer, SECRETS, "default", "secured-tls", secret -> hasKey(secret, "dHdv"));

    delete(clusters.service(), SECRETS, copy.namespace(), "secured-tls");
    clusters.eventuallyGone(consumer, SECRETS, "default", "secured-tls");
  }

  @Test
  void holdsADeletedObjectUntilItsCopyIsGone() {
    second.order("deleted");
    KubeObject copy = second.copy("deleted");
    second.hold(copy, List.of("example.io/hold"));

    delete(clusters.consumer("consumer-2"), CERTIFICATES, "default", "deleted");

    second.copy("deleted", seen -> assertThat(seen.deleting()).isTrue());
    assertThat(second.source("deleted").finalizers()).containsExactly(CLEANUP);

    second.hold(copy, List.of());
    clusters.eventuallyGone(clusters.service(), CERTIFICATES, copy.namespace(), copy.name());
    clusters.eventuallyGone(clusters.consumer("consumer-2"), CERTIFICATES, "default", "deleted");
  }

  @Test
  void takesRelatedCopiesAndTheirRecordsAwayWithTheirPrimary() {
    second.order("cleaned");
    KubeObject copy = second.copy("cleaned");
    second.issue(copy, "cleaned-tls", "b25l");
    KubeClient consumer = clusters.consumer("consumer-2");
    clusters.eventually(
        consumer, SECRETS, "default", "cleaned-tls", secret -> hasKey(secret, "b25l"));
    await().atMost(Duration.ofSeconds(60)).until(() -> second.states("cleaned").size() == 1);

    delete(consumer, CERTIFICATES, "default", "cleaned");

    clusters.eventuallyGone(consumer, CERTIFICATES, "default", "cleaned");
    assertThat(consumer.find(SECRETS, "default", "cleaned-tls")).isEmpty();
    assertThat(second.states("cleaned")).isEmpty();
    assertThat(clusters.service().find(SECRETS, copy.namespace(), "cleaned-tls")).isPresent();
  }

  @Test
  void syncsNothingUnderABrokenTemplateUntilItIsCorrected() {
    clusters.createCrd("/clusters/widget-crd.yaml");
    KubeObject published = manifest("/clusters/published-widgets.yaml");
    clusters.service().create(PublishedResource.TYPE, published);
    clusters.awaitCondition("widgets", "Syncing", "True");
    rename("{{ .Object.metadata.name");
    KubeObject refused =
        clusters.eventually(
            clusters.service(),
            PublishedResource.TYPE,
            "",
            "widgets",
            resource -> assertThat(condition(resource, "Accepted")).isEqualTo("False"));
    assertThat(condition(refused, "Syncing")).isEqualTo("False");
    assertThat(refused.list("status", "conditions"))
        .anySatisfy(
            condition -> assertThat(Trees.at(condition, "reason")).isEqualTo("InvalidTemplate"));

    KubeClient consumer = clusters.consumer("consumer-1");
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> consumer.create(WIDGETS, widget()).name().equals("gear"));
    first.order("meanwhile");
    first.copy("meanwhile");
    assertThat(clusters.service().list(WIDGETS, ListQuery.ALL).items()).isEmpty();
    assertThat(consumer.find(WIDGETS, "default", "gear").orElseThrow().finalizers()).isEmpty();

    rename("{{ .Object.metadata.name }}");
    clusters.awaitCondition("widgets", "Accepted", "True");
    clusters.eventually(
        clusters.service(),
        WIDGETS,
        clusters.cluster("consumer-1").name(),
        "gear",
        copy -> assertThat(copy.at("spec", "size")).isEqualTo(3L));
  }

  @Test
  void leavesAStrangerOfTheSameNameAlone() {
    String namespace = clusters.cluster("consumer-2").name();
    second.order("neighbour");
    second.copy("neighbour");
    KubeObject stranger =
        clusters
            .service()
            .create(
                CERTIFICATES,
                object(
                    """
                    apiVersion: certs.example.io/v1
                    kind: Certificate
                    metadata:
                      namespace: %s
                      name: default-taken
                    spec:
                      issuer: somebody-else
                    """,
                    namespace));

    second.order("taken");

    KubeClient consumer = clusters.consumer("consumer-2");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(consumer.list(ResourceType.core("events"), ListQuery.ALL).items())
                .anySatisfy(event -> {
                  assertThat(event.text("reason")).isEqualTo("NameCollision");
                  assertThat(event.text("involvedObject", "name")).isEqualTo("taken");
                }));
    delete(consumer, CERTIFICATES, "default", "taken");
    clusters.eventuallyGone(consumer, CERTIFICATES, "default", "taken");
    assertThat(clusters.service().find(CERTIFICATES, namespace, "default-taken"))
        .contains(stranger);
  }

  @Test
  void writesNothingAfterARestartWhereAllIsInStep() {
    first.order("settled");
    KubeObject copy = first.copy("settled");
    first.report(copy, "Issued");
    first.issue(copy, "settled-tls", "b25l");
    first.awaitPhase("settled", "Issued");
    // The last write of all that a new object with a related one needs.
    clusters.eventually(
        clusters.consumer("consumer-1"),
        CERTIFICATES,
        "default",
        "settled",
        source ->
            assertThat(source.annotations())
                .containsKey("related-resources.syncagent.kcp.io/tls.0"));
    Map<String, String> before = versions(copy.namespace());

    clusters.stopAgent();
    clusters.startAgent();
    first.order("after-restart");
    KubeObject next = first.copy("after-restart");
    first.report(next, "Issued");
    first.awaitPhase("after-restart", "Issued");

    assertThat(versions(copy.namespace())).isEqualTo(before);
  }

  private static Map<String, String> versions(String copies) {
    KubeClient consumer = clusters.consumer("consumer-1");
    KubeClient service = clusters.service();
    var versions = new TreeMap<String, String>();
    versions.put("source", version(consumer, CERTIFICATES, "default", "settled"));
    versions.put("secret's copy", version(consumer, SECRETS, "default", "settled-tls"));
    versions.put("copy", version(service, CERTIFICATES, copies, "default-settled"));
    versions.put("secret", version(service, SECRETS, copies, "settled-tls"));
    // Its counts go on with other tests' objects.
    versions.put(
        "published",
        service
            .find(PublishedResource.TYPE, "", "certificates")
            .orElseThrow()
            .without("status", "objects")
            .map("status")
            .toString());
    versions.put("export", version(clusters.provider(), EXPORTS, "", "certs"));
    first
        .states("settled")
        .forEach(state -> versions.put("state " + state.name(), state.resourceVersion()));
    assertThat(versions).hasSize(7);
    return versions;
  }

  private static String version(
      KubeClient client, ResourceType type, String namespace, String name) {
    return client.find(type, namespace, name).orElseThrow().resourceVersion();
  }

  private static void rename(String template) {
    clusters
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "widgets",
            Map.of("spec", Map.of("naming", Map.of("name", template))));
  }

  private static KubeObject widget() {
    return object(
        """
        apiVersion: shop.example.io/v1
        kind: Widget
        metadata:
          namespace: default
          name: gear
        spec:
          size: 3
        """);
  }
}
