package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static dev.mooring.syncagent.TwoClusters.delete;
import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Related objects of the whole agent between two servers; each test has a type of its own. */
class SyncAgentRelatedIT {
  private static final String ONE = "b25l";
  private static final String TWO = "dHdv";
  private static final String THREE = "dGhyZWU=";
  private static final String SHARED_FINALIZER = "syncagent.kcp.io/cleanup";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  private static String template(String origin, String more) {
    return "{'identifier':'credentials','origin':'%s','kind':'Secret',%s'object':{'template':{'template':'{{ .Object.metadata.name }}-credentials'}}}"
        .formatted(origin, more);
  }

  private static String selected(String labels) {
    return "{'identifier':'credentials','origin':'service','kind':'Secret','object':{'selector':{'matchLabels':%s,'rewrite':{'template':{'template':'{{ .RemoteObject.metadata.name }}-{{ .Value }}'}}}}}"
        .formatted(labels);
  }

  private static String inNamespace(String origin, String namespace) {
    return "{'identifier':'credentials','origin':'%s','kind':'Secret','object':{'template':{'template':'creds'},'namespace':{'template':{'template':'%s'}}}}"
        .formatted(origin, namespace);
  }

  @Test
  void keepsALocalValueUntilAResyncComparesContents() {
    var stage = RelatedStage.publish(clusters, "compared", template("service", ""));
    stage.order("kept");
    stage.copy("kept");
    stage.secret(stage.service(), stage.local(), "kept-credentials", ONE);
    stage.awaitSecret(stage.consumer(), "default", "kept-credentials", ONE);
    secretPatch(stage.consumer(), "default", Map.of("password", TWO, "mine", TWO));
    secretPatch(stage.service(), stage.local(), Map.of("more", THREE));
    clusters.eventually(
        stage.consumer(),
        SECRETS,
        "default",
        "kept-credentials",
        copy -> assertThat(copy.text("data", "more")).isEqualTo(THREE));
    assertThat(stage.awaitSecret(stage.consumer(), "default", "kept-credentials", TWO)).isNotNull();

    assertThat(clusters.agent().running().orElseThrow().resync("compared")).isTrue();

    assertThat(stage.awaitSecret(stage.consumer(), "default", "kept-credentials", ONE).map("data"))
        .containsEntry("mine", TWO)
        .containsEntry("more", THREE);
  }

  @ParameterizedTest(name = "the {0} goes")
  @ValueSource(strings = {"order", "namespace"})
  void keepsTheConsumersSecretUntilTheEndOfThePrimarysCopy(String what) {
    var stage =
        RelatedStage.publish(
            clusters,
            "ending-" + what,
            inNamespace(
                "kcp",
                "{{ if eq .Side `kcp` }}leaving-%1$s{{ else }}left-%1$s{{ end }}".formatted(what)));
    KubeObject order =
        object(
            "{apiVersion: %s, kind: Order, metadata: {namespace: leaving-%s, name: o}, spec: {}}",
            stage.type().apiVersion(), what);
    stage.secret(stage.consumer(), order.namespace(), "creds", ONE);
    stage.consumer().create(stage.type(), order);
    KubeObject copy =
        clusters.eventually(stage.service(), stage.type(), stage.local(), "o", _ -> {});
    String local = "left-" + what;
    stage.awaitSecret(stage.service(), local, "creds", ONE);
    finalizers(stage, List.of("example.io/operator"));

    if (what.equals("order")) {
      delete(stage.consumer(), stage.type(), order.namespace(), "o");
      delete(stage.consumer(), SECRETS, order.namespace(), "creds");
    } else {
      delete(stage.consumer(), TwoClusters.NAMESPACES, "", order.namespace());
    }
    clusters.eventually(
        stage.service(),
        stage.type(),
        copy.namespace(),
        "o",
        seen -> assertThat(seen.deleting()).isTrue());
    clusters.eventually(
        stage.consumer(),
        SECRETS,
        order.namespace(),
        "creds",
        original -> assertThat(original.deleting()).isTrue());
    // A later order has been served: so have those events.
    stage.order("later");
    stage.copy("later");
    stage.awaitSecret(stage.service(), local, "creds", ONE);

    finalizers(stage, List.of());
    clusters.eventuallyGone(stage.consumer(), stage.type(), order.namespace(), "o");
    stage.awaitNoSecret(stage.service(), local, "creds");
    clusters.eventuallyGone(stage.consumer(), SECRETS, order.namespace(), "creds");
  }

  @Test
  void refusesATokenOfAServiceAccountWhichServersDeleteElsewhere() {
    var stage = RelatedStage.publish(clusters, "token", template("service", ""));
    stage.order("token");
    stage.copy("token");
    stage
        .service()
        .create(
            SECRETS,
            object(
                """
                apiVersion: v1
                kind: Secret
                type: kubernetes.io/service-account-token
                metadata:
                  namespace: %s
                  name: token-credentials
                  annotations: {kubernetes.io/service-account.name: default}
                """,
                stage.local()));

    stage.awaitWarning("token", "SecretTypeRefused");
    assertThat(stage.consumer().find(SECRETS, "default", "token-credentials")).isEmpty();
    assertThat(stage.records("token")).isEmpty();
  }

  private static void finalizers(RelatedStage stage, List<String> finalizers) {
    stage
        .service()
        .patch(
            stage.type(), stage.local(), "o", Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  private static void secretPatch(KubeClient client, String namespace, Map<String, Object> data) {
    client.patch(SECRETS, namespace, "kept-credentials", Map.of("data", data));
  }

  @Test
  void bringsASecretUpAndNamesItOnThePrimary() {
    var stage = RelatedStage.publish(clusters, "up", template("service", ""));
    stage.order("u");
    stage.copy("u");

    stage.secret(stage.service(), stage.local(), "u-credentials", ONE);

    stage.awaitSecret(stage.consumer(), "default", "u-credentials", ONE);
    clusters.eventually(
        stage.consumer(),
        stage.type(),
        "default",
        "u",
        order ->
            assertThat(order.annotations())
                .containsEntry(
                    "related-resources.syncagent.kcp.io/credentials.0",
                    "{\"namespace\":\"default\",\"name\":\"u-credentials\",\"apiVersion\":\"v1\",\"kind\":\"Secret\"}"));
  }

  @Test
  void bringsASecretDownAndHoldsIt() {
    var stage = RelatedStage.publish(clusters, "down", template("kcp", ""));
    stage.secret(stage.consumer(), "default", "a-credentials", ONE);

    stage.order("a");

    stage.awaitSecret(stage.service(), stage.local(), "a-credentials", ONE);
    assertThat(finalizers(stage, "a-credentials"))
        .hasSize(2)
        .contains(SHARED_FINALIZER)
        .anyMatch(finalizer -> finalizer.matches("syncagent\\.kcp\\.io/cleanup-[0-9a-f]{8}"));
  }

  @Test
  void bringsASecretUpIntoANewNamespace() {
    var stage =
        RelatedStage.publish(
            clusters,
            "upnew",
            inNamespace(
                "service",
                "{{ if eq .Side `kcp` }}brand-new{{ else }}{{ .Object.metadata.namespace }}{{ end"
                    + " }}"));
    stage.order("a");
    stage.copy("a");

    stage.secret(stage.service(), stage.local(), "creds", ONE);

    stage.awaitSecret(stage.consumer(), "brand-new", "creds", ONE);
  }

  @Test
  void bringsASecretDownIntoANewNamespace() {
    var stage =
        RelatedStage.publish(
            clusters,
            "downnew",
            inNamespace("kcp", "{{ if eq .Side `kcp` }}default{{ else }}local-new{{ end }}"));
    stage.secret(stage.consumer(), "default", "creds", ONE);

    stage.order("a");

    stage.awaitSecret(stage.service(), "local-new", "creds", ONE);
  }

  @Test
  void bringsASecretUpFromAForeignNamespace() {
    var stage =
        RelatedStage.publish(
            clusters,
            "foreign",
            inNamespace("service", "{{ if eq .Side `kcp` }}from-afar{{ else }}vault{{ end }}"));
    stage.secret(stage.service(), "vault", "creds", ONE);

    stage.order("a");

    stage.awaitSecret(stage.consumer(), "from-afar", "creds", ONE);
  }

  @Test
  void findsSecretsByLabelsAndFollowsTheSelection() {
    var stage = RelatedStage.publish(clusters, "select", selected("{'find':'me'}"));
    stage.order("a");
    stage.copy("a");
    Map<String, String> labels = Map.of("find", "me");
    stage.secret(stage.service(), stage.local(), "s1", ONE, labels);
    stage.secret(stage.service(), stage.local(), "s2", TWO, labels);
    stage.secret(stage.service(), stage.local(), "s3", THREE);

    clusters.eventually(stage.consumer(), SECRETS, "default", "a-s1", _ -> {});
    clusters.eventually(stage.consumer(), SECRETS, "default", "a-s2", _ -> {});
    assertThat(stage.consumer().find(SECRETS, "default", "a-s3")).isEmpty();

    relabel(stage, "s1", "not-me");
    relabel(stage, "s3", "me");

    stage.awaitNoSecret(stage.consumer(), "default", "a-s1");
    clusters.eventually(stage.consumer(), SECRETS, "default", "a-s3", _ -> {});
    clusters.eventually(
        stage.consumer(),
        stage.type(),
        "default",
        "a",
        order ->
            assertThat(order.annotations().keySet())
                .filteredOn(key -> key.startsWith("related-resources."))
                .containsExactlyInAnyOrder(
                    "related-resources.syncagent.kcp.io/credentials.0",
                    "related-resources.syncagent.kcp.io/credentials.1"));
  }

  @Test
  void selectsByTheConsumersLogicalCluster() {
    var stage =
        RelatedStage.publish(clusters, "bycluster", selected("{'for':'{{ .ClusterName }}'}"));
    stage.order("a");
    stage.copy("a");

    stage.secret(stage.service(), stage.local(), "s", ONE, Map.of("for", stage.local()));

    clusters.eventually(stage.consumer(), SECRETS, "default", "a-s", _ -> {});
  }

  @Test
  void selectsByTemplatedKeysAndValuesWithWhitespaceAround() {
    var stage =
        RelatedStage.publish(
            clusters,
            "white",
            selected("{'  {{ list `fi` `nd` | join `-` }} ':'\\n{{ lower `ME` }}\\n '}"));
    stage.order("a");
    stage.copy("a");

    stage.secret(stage.service(), stage.local(), "w", ONE, Map.of("fi-nd", "me"));

    clusters.eventually(stage.consumer(), SECRETS, "default", "a-w", _ -> {});
  }

  @Test
  void givesATenantOnlyWhatItsOwnSelectorFinds() {
    var stage =
        RelatedStage.publish(
            clusters,
            "tenants",
            "{'identifier':'credentials','origin':'service','kind':'Secret','object':{'selector':{'matchLabels':{'tenant':'{{"
                + " .RemoteObject.spec.tenant }}'},"
                + "'rewrite':{'regex':{'replacement':'mine'}}},'namespace':{'template':{'template':'{{"
                + " if eq .Side `kcp` }}default{{ else }}pool{{ end }}'}}}}");
    stage.secret(stage.service(), "pool", "of-alice", ONE, Map.of("tenant", "alice"));
    stage.secret(stage.service(), "pool", "of-bob", TWO, Map.of("tenant", "bob"));

    stage.order(clusters.consumer("consumer-1"), "a", "{'tenant':'alice'}");
    stage.order(clusters.consumer("consumer-2"), "b", "{'tenant':'bob'}");

    assertThat(mine(stage, "consumer-1").text("data", "password")).isEqualTo(ONE);
    assertThat(mine(stage, "consumer-2").text("data", "password")).isEqualTo(TWO);
  }

  private static KubeObject mine(RelatedStage stage, String consumer) {
    return clusters.eventually(clusters.consumer(consumer), SECRETS, "default", "mine", _ -> {});
  }

  @Test
  void pairsTheItemsOfAReferenceWithThoseOfADifferingPrimaryThatWasAdopted() {
    var stage = RelatedStage.publish(clusters, "array", listed());
    adoptable(stage, "a", "[{'name':'m1'},{'name':'m2'},{'name':'m3'}]");
    stage.secret(stage.service(), stage.local(), "m1", ONE);
    stage.secret(stage.service(), stage.local(), "m2", TWO);
    stage.secret(stage.service(), stage.local(), "m3", THREE);

    stage.order(stage.consumer(), "a", "{'items':[{'name':'k1'},{'name':'k2'},{'name':'k3'}]}");

    stage.awaitSecret(stage.consumer(), "default", "k1", ONE);
    stage.awaitSecret(stage.consumer(), "default", "k2", TWO);
    stage.awaitSecret(stage.consumer(), "default", "k3", THREE);
  }

  @Test
  void skipsOnlyThePairsWithAnEmptyItem() {
    var stage = RelatedStage.publish(clusters, "empty", listed());
    adoptable(stage, "a", "[{'name':'n1'},{'name':'n2'},{'name':''},{'name':'n4'}]");
    stage.secret(stage.service(), stage.local(), "n1", ONE);
    stage.secret(stage.service(), stage.local(), "n2", TWO);
    stage.secret(stage.service(), stage.local(), "n4", THREE);

    stage.order(
        stage.consumer(), "a", "{'items':[{'name':'j1'},{'name':''},{'name':'j3'},{'name':'j4'}]}");

    stage.awaitSecret(stage.consumer(), "default", "j1", ONE);
    stage.awaitSecret(stage.consumer(), "default", "j4", THREE);
    assertThat(stage.consumer().find(SECRETS, "default", "j3")).isEmpty();
  }

  @Test
  void tellsTheConsumerOfListsThatCannotBePaired() {
    var stage = RelatedStage.publish(clusters, "unequal", listed());
    adoptable(stage, "a", "[{'name':'u1'}]");

    stage.order(stage.consumer(), "a", "{'items':[{'name':'v1'},{'name':'v2'}]}");

    stage.awaitWarning("a", "RelatedUnequalLists");
  }

  @Test
  void tellsTheConsumerOfObjectsThatWouldGetOneName() {
    var stage =
        RelatedStage.publish(
            clusters,
            "ambiguous",
            "{'identifier':'credentials','origin':'service','kind':'Secret','object':{'selector':{"
                + "'matchLabels':{'pick':'one'},'rewrite':{'regex':{'replacement':'the-one'}}}}}");
    stage.secret(stage.service(), stage.local(), "p1", ONE, Map.of("pick", "one"));
    stage.secret(stage.service(), stage.local(), "p2", TWO, Map.of("pick", "one"));

    stage.order("a");

    stage.awaitWarning("a", "RelatedAmbiguous");
    assertThat(stage.consumer().find(SECRETS, "default", "the-one")).isEmpty();
    delete(stage.service(), SECRETS, stage.local(), "p2");
    stage.awaitNoSecret(stage.service(), stage.local(), "p2");
    clusters.eventually(stage.consumer(), SECRETS, "default", "the-one", _ -> {});
  }

  @Test
  void makesASecretOfAConfigMap() {
    var stage =
        RelatedStage.publish(
            clusters,
            "turned",
            "{'identifier':'credentials','origin':'service','version':'v1','resource':'configmaps',"
                + "'projection':{'resource':'secrets'},'object':{'template':{'template':'turned'}}}");
    RelatedStage.namespace(stage.service(), stage.local());
    stage
        .service()
        .create(
            ResourceType.core("configmaps"),
            object(
                "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: %s, name: turned}, data:"
                    + " {password: b25l}}",
                stage.local()));

    stage.order("a");

    KubeObject secret = stage.awaitSecret(stage.consumer(), "default", "turned", ONE);
    assertThat(secret.text("type")).isEqualTo("Opaque");
  }

  @Test
  void takesTheCopyAwayWhenTheReferenceChangesOrTheOriginalGoes() {
    var stage =
        RelatedStage.publish(
            clusters,
            "stale",
            "{'identifier':'credentials','origin':'kcp','kind':'Secret',"
                + "'object':{'reference':{'path':'spec.secret'}}}");
    stage.secret(stage.consumer(), "default", "first", ONE);
    stage.secret(stage.consumer(), "default", "second", TWO);
    stage.order(stage.consumer(), "a", "{'secret':'first'}");
    stage.awaitSecret(stage.service(), stage.local(), "first", ONE);

    stage
        .consumer()
        .patch(stage.type(), "default", "a", Map.of("spec", Map.of("secret", "second")));

    stage.awaitSecret(stage.service(), stage.local(), "second", TWO);
    stage.awaitNoSecret(stage.service(), stage.local(), "first");
    await().atMost(Duration.ofSeconds(60)).until(() -> finalizers(stage, "first").isEmpty());

    delete(stage.consumer(), SECRETS, "default", "second");
    stage.awaitNoSecret(stage.service(), stage.local(), "second");
    stage.awaitNoSecret(stage.consumer(), "default", "second");
  }

  @Test
  void removesCopyAndHoldOfAConsumersSecretWithThePrimary() {
    var stage = RelatedStage.publish(clusters, "gone", template("kcp", ""));
    stage.secret(stage.consumer(), "default", "g-credentials", ONE);
    stage.order("g");
    stage.awaitSecret(stage.service(), stage.local(), "g-credentials", ONE);

    stage.deleteOrder("g");

    stage.awaitOrderGone("g");
    stage.awaitNoSecret(stage.service(), stage.local(), "g-credentials");
    assertThat(finalizers(stage, "g-credentials")).isEmpty();
    assertThat(stage.records("g")).isEmpty();
  }

  @Test
  void clearsAwayRelatedCopiesOfAnOrderThatWasForceDeletedWithItsCopy() {
    var stage = RelatedStage.publish(clusters, "forced", template("kcp", ""));
    stage.secret(stage.consumer(), "default", "w-credentials", ONE);
    stage.order("w");
    stage.awaitSecret(stage.service(), stage.local(), "w-credentials", ONE);
    clusters.stopAgent();
    stage.deleteOrder("w");
    stage
        .consumer()
        .patch(stage.type(), "default", "w", Map.of("metadata", Map.of("finalizers", List.of())));
    delete(stage.service(), stage.type(), stage.local(), "w");

    clusters.startAgent();

    stage.awaitNoSecret(stage.service(), stage.local(), "w-credentials");
    await()
        .untilAsserted(() -> {
          assertThat(finalizers(stage, "w-credentials")).isEmpty();
          assertThat(stage.records("w")).isEmpty();
        });
  }

  @Test
  void removesRelatedCopiesEvenIfThePrimarysCopyIsGoneAlready() {
    var stage = RelatedStage.publish(clusters, "first", template("kcp", ""));
    stage.secret(stage.consumer(), "default", "f-credentials", ONE);
    stage.order("f");
    stage.awaitSecret(stage.service(), stage.local(), "f-credentials", ONE);
    clusters.stopAgent();
    stage.deleteOrder("f");
    delete(stage.service(), stage.type(), stage.local(), "f");

    clusters.startAgent();

    stage.awaitOrderGone("f");
    stage.awaitNoSecret(stage.service(), stage.local(), "f-credentials");
    assertThat(finalizers(stage, "f-credentials")).isEmpty();
  }

  @Test
  void keepsBothSecretsWhereNoCleanupIsAskedFor() {
    var stage = RelatedStage.publish(clusters, "kept", template("service", ""));
    stage.order("k");
    stage.copy("k");
    stage.secret(stage.service(), stage.local(), "k-credentials", ONE);
    stage.awaitSecret(stage.consumer(), "default", "k-credentials", ONE);

    stage.deleteOrder("k");
    stage.awaitOrderGone("k");

    assertThat(stage.consumer().find(SECRETS, "default", "k-credentials")).isPresent();
    assertThat(stage.service().find(SECRETS, stage.local(), "k-credentials")).isPresent();
    assertThat(stage.records("k")).isEmpty();
  }

  @Test
  void removesTheCopyInKcpAndKeepsTheOriginalWhereCleanupIsAskedFor() {
    var stage = RelatedStage.publish(clusters, "cleaned", template("service", "'cleanup':true,"));
    stage.order("c");
    stage.copy("c");
    stage.secret(stage.service(), stage.local(), "c-credentials", ONE);
    stage.awaitSecret(stage.consumer(), "default", "c-credentials", ONE);

    stage.deleteOrder("c");
    stage.awaitOrderGone("c");

    assertThat(stage.consumer().find(SECRETS, "default", "c-credentials")).isEmpty();
    assertThat(stage.service().find(SECRETS, stage.local(), "c-credentials")).isPresent();
  }

  @Test
  void keepsASecretThatAnotherPrimaryNeedsUntilTheLastOneGoes() {
    var stage =
        RelatedStage.publish(
            clusters,
            "shared",
            "{'identifier':'credentials','origin':'kcp','kind':'Secret',"
                + "'object':{'template':{'template':'shared'}}}");
    stage.secret(stage.consumer(), "default", "shared", ONE);
    stage.order("s1");
    stage.order("s2");
    KubeObject copy = stage.awaitSecret(stage.service(), stage.local(), "shared", ONE);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> stage.records("s1").size() == 1 && stage.records("s2").size() == 1);

    stage.deleteOrder("s1");
    stage.awaitOrderGone("s1");

    assertThat(stage.service().find(SECRETS, stage.local(), "shared"))
        .hasValueSatisfying(left -> assertThat(left.uid()).isEqualTo(copy.uid()));
    assertThat(finalizers(stage, "shared")).contains(SHARED_FINALIZER);

    stage.deleteOrder("s2");
    stage.awaitOrderGone("s2");
    stage.awaitNoSecret(stage.service(), stage.local(), "shared");
    assertThat(finalizers(stage, "shared")).isEmpty();
  }

  @Test
  void keepsASecretThatAnotherTypeNeedsWhoseSyncRestarts() {
    String entry =
        "{'identifier':'credentials','origin':'kcp','kind':'Secret',"
            + "'object':{'template':{'template':'among-types'}}}";
    var one = RelatedStage.publish(clusters, "amongone", entry);
    var other = RelatedStage.publish(clusters, "amongother", entry);
    one.secret(one.consumer(), "default", "among-types", ONE);
    one.order("one");
    other.order("other");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> one.records("one").size() == 1 && other.records("other").size() == 1);
    KubeObject copy = one.awaitSecret(one.service(), one.local(), "among-types", ONE);

    other.relate("amongother", entry.replace("'kind'", "'cleanup':true,'kind'"));
    one.deleteOrder("one");
    one.awaitOrderGone("one");

    assertThat(one.service().find(SECRETS, one.local(), "among-types"))
        .hasValueSatisfying(left -> assertThat(left.uid()).isEqualTo(copy.uid()));
    assertThat(finalizers(one, "among-types")).contains(SHARED_FINALIZER);
    other.deleteOrder("other");
    other.awaitOrderGone("other");
    other.awaitNoSecret(other.service(), other.local(), "among-types");
    assertThat(finalizers(other, "among-types")).isEmpty();
  }

  @Test
  void leavesNothingOfAnEntryThatIsTakenOut() {
    var stage =
        RelatedStage.publish(
            clusters,
            "takenout",
            template("kcp", ""),
            template("service", "")
                .replace("'identifier':'credentials'", "'identifier':'login'")
                .replace("-credentials'", "-login'"));
    stage.secret(stage.consumer(), "default", "e-credentials", ONE);
    stage.order("e");
    stage.awaitSecret(stage.service(), stage.local(), "e-credentials", ONE);
    stage.secret(stage.service(), stage.local(), "e-login", ONE);
    stage.awaitSecret(stage.consumer(), "default", "e-login", ONE);

    stage.relate("takenout");

    stage.awaitNoSecret(stage.service(), stage.local(), "e-credentials");
    stage.awaitNoSecret(stage.consumer(), "default", "e-login");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(finalizers(stage, "e-credentials")).isEmpty();
          assertThat(stage.records("e")).isEmpty();
        });
    assertThat(stage.service().find(SECRETS, stage.local(), "e-login")).isPresent();
  }

  @Test
  void followsTwoEntriesOfOneTypeAndOrigin() {
    var stage =
        RelatedStage.publish(
            clusters,
            "twice",
            template("service", ""),
            "{'identifier':'ca','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-ca'}}}");
    stage.order("t");
    stage.copy("t");
    stage.secret(stage.service(), stage.local(), "t-credentials", ONE);
    stage.secret(stage.service(), stage.local(), "t-ca", ONE);
    stage.awaitSecret(stage.consumer(), "default", "t-credentials", ONE);
    stage.awaitSecret(stage.consumer(), "default", "t-ca", ONE);

    for (String name : List.of("t-credentials", "t-ca")) {
      stage.service().patch(SECRETS, stage.local(), name, Map.of("data", Map.of("password", TWO)));
    }

    stage.awaitSecret(stage.consumer(), "default", "t-credentials", TWO);
    stage.awaitSecret(stage.consumer(), "default", "t-ca", TWO);
  }

  @Test
  void leavesAStrangersSecretAloneWhereNothingMayBeAdopted() {
    var stage = RelatedStage.publish(clusters, "stranger", template("service", "'cleanup':true,"));
    stage
        .service()
        .patch(
            PublishedResource.TYPE,
            "",
            "stranger",
            Map.of(
                "spec", Map.of("synchronization", Map.of("enabled", true, "adoption", "Never"))));
    KubeObject stranger = stage.secret(stage.consumer(), "default", "x-credentials", TWO);
    stage.order("x");
    stage.copy("x");

    stage.secret(stage.service(), stage.local(), "x-credentials", ONE);

    stage.awaitWarning("x", "NameCollision");
    stage.deleteOrder("x");
    stage.awaitOrderGone("x");
    assertThat(stage.consumer().find(SECRETS, "default", "x-credentials"))
        .hasValueSatisfying(left -> assertThat(left.at("data")).isEqualTo(stranger.at("data")));
  }

  private static String listed() {
    return "{'identifier':'credentials','origin':'service','kind':'Secret',"
        + "'object':{'reference':{'path':'spec.items.#.name'}}}";
  }

  /** An order's copy that was there before the agent, and differs. */
  private static void adoptable(RelatedStage stage, String name, String items) {
    RelatedStage.namespace(stage.service(), stage.local());
    stage
        .service()
        .create(
            stage.type(),
            object(
                "{apiVersion: %s, kind: Order, metadata: {namespace: %s, name: %s}, spec: {items:"
                    + " %s}}",
                stage.type().apiVersion(), stage.local(), name, items));
  }

  private static void relabel(RelatedStage stage, String secret, String value) {
    KubeClient service = stage.service();
    service.patch(
        SECRETS,
        stage.local(),
        secret,
        Map.of("metadata", Map.of("labels", Map.of("find", value))));
  }

  private static List<String> finalizers(RelatedStage stage, String secret) {
    return stage.consumer().find(SECRETS, "default", secret).orElseThrow().finalizers();
  }
}
