package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.NAMESPACES;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What owners can choose, between two servers. Each test publishes a kind of its own. */
class SyncRulesIT {
  private static final String ONLY_LABELLED = "filter: {resource: {matchLabels: {sync: 'yes'}}}";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void understandsPlaceholdersInNames() {
    var orders =
        OrderedKind.publish(
            clusters, "placed", "naming: {namespace: placed, name: $remoteNamespace-$remoteName}");
    orders.order("a");

    KubeObject copy = orders.copy("a");

    assertThat(copy.namespace() + "/" + copy.name()).isEqualTo("placed/default-a");
  }

  @Test
  void keepsEqualNamesOfTwoWorkspacesApartByDefault() {
    var first = OrderedKind.publish(clusters, "apart");
    var second = first.of("consumer-2");
    first.order("a");
    second.order("a");

    KubeObject ofFirst = first.copy("a");
    KubeObject ofSecond = second.copy("a");

    assertThat(ofFirst.namespace()).isEqualTo(first.cluster());
    assertThat(ofSecond.namespace()).isEqualTo(second.cluster());
    assertThat(ofFirst.name()).isEqualTo(ofSecond.name()).doesNotContain("default");
  }

  @Test
  void syncsNamesOf250Characters() {
    var orders = OrderedKind.publish(clusters, "lengthy");
    String name = "n".repeat(250);
    orders.order(name);

    assertThat(orders.copy(name).annotations()).containsEntry(SyncMarks.SOURCE_NAME, name);
    orders.delete(name);
    orders.awaitGone(name);
    assertThat(orders.copies("default", name)).isEmpty();
  }

  @Test
  void writesTheWorkspacePathOnlyWhereAskedTo() {
    var pathed = OrderedKind.publish(clusters, "pathed", "enableWorkspacePaths: true");
    pathed.acceptClaims();
    var plain = OrderedKind.publish(clusters, "pathless");
    pathed.order("a");
    plain.order("a");

    assertThat(pathed.copy("a").annotations())
        .containsEntry(SyncMarks.SOURCE_WORKSPACE_PATH, "root:consumer-1");
    assertThat(plain.copy("a").annotations()).doesNotContainKey(SyncMarks.SOURCE_WORKSPACE_PATH);
  }

  @Test
  void syncsOnlyWhatTheFilterSelects() {
    var orders = OrderedKind.publish(clusters, "filtered", ONLY_LABELLED);
    orders.order("unlabelled");
    orders.order("labelled", Map.of("sync", "yes"));
    orders.copy("labelled");

    // One queue: what came first was looked at once its later neighbour has been synced twice.
    orders.label("labelled", "again", "yes");
    orders.copy("labelled", copy -> assertThat(copy.labels()).containsEntry("again", "yes"));
    assertThat(orders.copies("default", "unlabelled")).isEmpty();
    assertThat(orders.read("unlabelled").finalizers()).isEmpty();

    orders.label("unlabelled", "sync", "yes");
    orders.copy("unlabelled");
  }

  @Test
  void saysThatAnObjectLeftTheFilterAndTakesItsCopyAlongWhenItGoes() {
    var orders = OrderedKind.publish(clusters, "kept", ONLY_LABELLED);
    orders.order("a", Map.of("sync", "yes"));
    orders.copy("a");

    orders.label("a", "sync", null);

    orders.awaitEvent("a", "OutOfFilter");
    assertThat(orders.copies("default", "a")).hasSize(1);
    orders.delete("a");
    orders.awaitGone("a");
    assertThat(orders.copies("default", "a")).isEmpty();
  }

  @Test
  void removesTheCopyOfWhatLeftTheFilterAndItsEmptiedNamespaceWhereAskedTo() {
    var orders =
        OrderedKind.publish(
            clusters,
            "leaving",
            "filter: {resource: {matchLabels: {sync: 'yes'}}, onLeave: Delete}",
            "naming: {namespace: leaving, cleanupNamespaces: true}");
    orders.order("a", Map.of("sync", "yes"));
    assertThat(orders.copy("a").namespace()).isEqualTo("leaving");

    orders.label("a", "sync", null);

    orders.awaitSource("a", source -> assertThat(source.finalizers()).isEmpty());
    assertThat(orders.copies("default", "a")).isEmpty();
    clusters.eventuallyGone(clusters.service(), NAMESPACES, "", "leaving");
  }

  @Test
  void keepsNamespacesThatItDidNotMake() {
    RelatedStage.namespace(clusters.service(), "theirs");
    var orders =
        OrderedKind.publish(
            clusters, "guest", "naming: {namespace: theirs, cleanupNamespaces: true}");
    orders.order("a");
    orders.copy("a");

    orders.delete("a");
    orders.awaitGone("a");

    assertThat(clusters.service().find(NAMESPACES, "", "theirs"))
        .hasValueSatisfying(namespace -> assertThat(namespace.deleting()).isFalse());
  }

  @Test
  void syncsARenamedCoreTypeTogetherWithAnother() {
    OrderedKind.publishType(
        clusters,
        "settings",
        "",
        "ConfigMap",
        "naming: {namespace: settings, name: $remoteName}",
        "projection: {group: settings.example.io, kind: Setting}");
    var orders = OrderedKind.publish(clusters, "beside");
    var settings =
        new OrderedKind(
            clusters,
            new ResourceType("settings.example.io", "v1", "settings"),
            "Setting",
            ResourceType.core("configmaps"),
            "consumer-1");
    settings.create(
        object(
            """
            apiVersion: settings.example.io/v1
            kind: Setting
            metadata: {namespace: default, name: colours}
            data: {sky: blue}
            """));
    orders.order("a");

    KubeObject copy = settings.copy("colours");
    assertThat(copy.namespace() + "/" + copy.name()).isEqualTo("settings/colours");
    assertThat(copy.text("data", "sky")).isEqualTo("blue");
    orders.copy("a");
  }

  @Test
  void tellsOfANameThatIsTooLongAndSyncsTheOthers() {
    var orders =
        OrderedKind.publish(
            clusters, "longnames", "naming: {name: '{{ repeat 60 .Object.metadata.name }}'}");
    orders.order("long-one");
    orders.order("ab");

    assertThat(orders.copy("ab").name()).isEqualTo("ab".repeat(60));
    orders.awaitEvent("long-one", "NamingFailed", "naming.name", "not a valid name");
    orders.awaitProblem("longnames", Problem.OBJECTS_FAILING, "NamingFailed (1)");
    assertThat(orders.copies("default", "long-one")).isEmpty();
    orders.delete("long-one");
    orders.awaitGone("long-one");
  }

  @Test
  void takesNoSecretWithAStateForACopyOfAPublishedSecret() {
    OrderedKind.publishType(
        clusters,
        "logins",
        "",
        "Secret",
        "naming: {namespace: logins, name: $remoteName}",
        "projection: {group: logins.example.io, kind: Login}");
    var logins =
        new OrderedKind(
            clusters,
            new ResourceType("logins.example.io", "v1", "logins"),
            "Login",
            ResourceType.core("secrets"),
            "consumer-1");
    logins.create(
        object(
            """
            apiVersion: logins.example.io/v1
            kind: Login
            metadata: {namespace: default, name: admin}
            data: {user: YWRtaW4=, password: b25l}
            """));
    clusters.eventually(
        clusters.service(),
        logins.target(),
        "logins",
        "admin",
        copy -> {
          assertThat(copy.text("data", "password")).isEqualTo("b25l");
          assertThat(copy.annotations()).doesNotContainKey(SyncMarks.LAST_KNOWN_STATE);
        });
    clusters
        .service()
        .patch(logins.target(), "logins", "admin", Map.of("data", Map.of("local", "bG9jYWw=")));

    logins
        .workspace()
        .patch(logins.source(), "default", "admin", Map.of("data", Map.of("password", "dHdv")));

    clusters.eventually(
        clusters.service(),
        logins.target(),
        "logins",
        "admin",
        copy ->
            assertThat(copy.map("data"))
                .isEqualTo(Map.of("user", "YWRtaW4=", "password", "dHdv", "local", "bG9jYWw=")));
    logins.delete("admin");
    logins.awaitGone("admin");
    assertThat(logins.copies("default", "admin")).isEmpty();
  }

  @Test
  void syncsClusterScopedObjectsByDefaultNamesInSpiteOfTheNamespaceFilter() {
    ResourceType type = RelatedStage.crd(clusters, "scopeless", "Order");
    OrderedKind.publishType(
        clusters,
        "scopeless",
        type.group(),
        "Order",
        "projection: {scope: Cluster}",
        "filter: {namespace: {matchLabels: {sync: 'yes'}}}");
    var orders = new OrderedKind(clusters, type, "Order", type, "consumer-1");
    orders.create(
        object(
            """
            apiVersion: %s
            kind: Order
            metadata: {name: a}
            spec: {size: 3}
            """,
            type.apiVersion()));

    clusters.eventually(
        orders.workspace(),
        type,
        "",
        "a",
        source -> assertThat(source.finalizers()).containsExactly(SyncMarks.FINALIZER));
    await().atMost(Duration.ofSeconds(60)).until(() -> orders.copies("", "a").size() == 1);
    KubeObject copy = orders.copies("", "a").getFirst();
    assertThat(copy.namespace()).isEqualTo(orders.cluster());
    assertThat(copy.at("spec", "size")).isEqualTo(3L);
  }
}
