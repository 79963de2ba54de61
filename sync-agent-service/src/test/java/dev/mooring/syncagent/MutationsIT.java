package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.NAMESPACES;
import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rules that change objects on their way, between two servers. */
class MutationsIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void changesTheSpecOnItsWayDownByEveryKindOfRule() {
    var orders =
        OrderedKind.publish(
            clusters,
            "changed",
            "naming: {namespace: changed, name: $remoteName}",
            "mutation:",
            "  spec:",
            "  - regex: {path: spec.host, pattern: '^(.+)[.]internal$', replacement: $1.example.io}",
            "  - template: {path: spec.secretName, template: '{{ .LocalObject.metadata.name }}-tls'}",
            "  - cel: {path: spec.double, expression: self.spec.size * 2}",
            "  - delete: {path: spec.keystores}");
    orders.order("a");

    patchSpec(orders, "a", Map.of("host", "web.internal", "keystores", Map.of("jks", true)));

    KubeObject copy =
        orders.copy("a", seen -> assertThat(seen.at("spec", "host")).isEqualTo("web.example.io"));
    assertThat(copy.map("spec"))
        .isEqualTo(
            Map.of("size", 3L, "host", "web.example.io", "secretName", "a-tls", "double", 6L));
    assertThat(orders.read("a").map("spec"))
        .isEqualTo(Map.of("size", 3L, "host", "web.internal", "keystores", Map.of("jks", true)));
    patchSpec(orders, "a", Map.of("size", 5L));

    orders.copy("a", seen -> assertThat(seen.at("spec", "double")).isEqualTo(10L));
  }

  @Test
  void changesTheStatusOnItsWayUpByEveryKindOfRule() {
    var orders =
        OrderedKind.publish(
            clusters,
            "reported",
            "mutation:",
            "  status:",
            "  - regex: {path: status.host, pattern: '^(.+)[.]local$', replacement: $1.example.io}",
            "  - template: {path: status.of, template: '{{ .RemoteObject.metadata.name }}'}",
            "  - cel: {path: status.double, expression: self.status.size * 2}",
            "  - delete: {path: status.node}");
    orders.order("a");
    KubeObject copy = orders.copy("a");
    Map<String, Object> local = Map.of("host", "web.local", "size", 4L, "node", "n1");

    clusters
        .service()
        .patchStatus(orders.target(), copy.namespace(), copy.name(), Map.of("status", local));

    orders.awaitSource(
        "a",
        source ->
            assertThat(source.map("status"))
                .isEqualTo(Map.of("host", "web.example.io", "size", 4L, "of", "a", "double", 8L)));
    assertThat(orders.copy("a").map("status")).isEqualTo(local);
  }

  @Test
  void changesRelatedObjectsInBothDirections() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "company",
            "{'identifier':'up','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-up'}},"
                + "'mutation':{'spec':[{'delete':{'path':'data.internal'}},"
                + "{'template':{'path':'data.of','template':'{{ .RemoteObject.metadata.name | b64enc }}'}}]}}",
            "{'identifier':'down','origin':'kcp','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-down'}},"
                + "'mutation':{'spec':[{'regex':{'path':'data.password','replacement':'aGlkZGVu'}},"
                + "{'cel':{'path':'data.copy','expression':'self.data.user'}}]}}");
    stage.order("a");
    stage.copy("a");
    stage.secret(stage.service(), stage.local(), "a-up", "c2VjcmV0");
    patchData(stage.service(), stage.local(), "a-up", Map.of("internal", "bm8="));
    stage.secret(stage.consumer(), "default", "a-down", "c2VjcmV0");
    patchData(stage.consumer(), "default", "a-down", Map.of("user", "bWU="));

    awaitData(
        stage.consumer(), "default", "a-up", Map.of("password", "c2VjcmV0", "of", "YS11cA=="));
    awaitData(
        stage.service(),
        stage.local(),
        "a-down",
        Map.of("password", "aGlkZGVu", "user", "bWU=", "copy", "bWU="));
  }

  @Test
  void tellsOfARuleThatCannotBeAppliedAndGoesOnOnceItCan() {
    var orders =
        OrderedKind.publish(
            clusters,
            "failing",
            "mutation: {spec: [{cel: {path: spec.double, expression: self.spec.width * 2}}]}");
    orders.order("a");

    orders.awaitEvent("a", "MutationFailed", "spec.double");
    orders.awaitProblem("failing", Problem.OBJECTS_FAILING, "MutationFailed (1)", "spec.double");
    assertThat(orders.copies("default", "a")).isEmpty();
    patchSpec(orders, "a", Map.of("width", 4L));

    orders.copy("a", copy -> assertThat(copy.at("spec", "double")).isEqualTo(8L));
    orders.awaitNoProblem("failing");
  }

  @Test
  void tellsOfARuleThatCannotBeAppliedToARelatedObjectAndSyncsAllElse() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "unfit",
            "{'identifier':'login','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}},"
                + "'mutation':{'spec':[{'cel':{'path':'data.copy','expression':'self.data.user'}}]}}",
            "{'identifier':'other','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-other'}}}");
    stage.order("a");
    stage.copy("a");
    stage.secret(stage.service(), stage.local(), "a-login", "c2VjcmV0");

    stage.kind().awaitEvent("a", "MutationFailed", "login", "data.copy");
    stage.kind().awaitProblem("unfit", Problem.OBJECTS_FAILING, "MutationFailed (1)");
    stage.secret(stage.service(), stage.local(), "a-other", "b3RoZXI=");
    stage.awaitSecret(stage.consumer(), "default", "a-other", "b3RoZXI=");
    assertThat(stage.consumer().find(SECRETS, "default", "a-login")).isEmpty();
    patchData(stage.service(), stage.local(), "a-login", Map.of("user", "bWU="));

    awaitData(
        stage.consumer(),
        "default",
        "a-login",
        Map.of("password", "c2VjcmV0", "user", "bWU=", "copy", "bWU="));
    stage.kind().awaitNoProblem("unfit");
  }

  @Test
  void waitsForANamespaceThatIsGoingBeforeItMakesARelatedCopyThere() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "going",
            "{'identifier':'login','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'},"
                + "'namespace':{'template':{'template':"
                + "'{{ if eq .Side `kcp` }}going{{ else }}going-local{{ end }}'}}}}");
    RelatedStage.namespace(stage.consumer(), "going");
    KubeObject holder = stage.secret(stage.consumer(), "going", "holder", "aG9sZA==");
    hold(stage, holder, List.of("example.io/hold"));
    TwoClusters.delete(stage.consumer(), NAMESPACES, "", "going");
    stage.order("a");
    stage.copy("a");

    stage.secret(stage.service(), "going-local", "a-login", "c2VjcmV0");

    stage.kind().awaitEvent("a", "NamespaceTerminating", "going");
    stage.kind().awaitProblem("going", Problem.OBJECTS_FAILING, "NamespaceTerminating (1)");
    hold(stage, holder, List.of());
    stage.awaitSecret(stage.consumer(), "going", "a-login", "c2VjcmV0");
    stage.kind().awaitNoProblem("going");
  }

  @Test
  void refusesMoreRelatedObjectsThanAnyPrimaryCanNeed() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "many",
            "{'identifier':'logins','origin':'service','kind':'Secret',"
                + "'object':{'reference':{'path':'spec.secrets'},"
                + "'namespace':{'reference':{'path':'spec.namespaces'}}}}");
    stage.order(stage.consumer(), "a", "{'secrets':['one'],'namespaces':['many-1']}");
    stage.copy("a");
    stage.secret(stage.service(), "many-1", "one", "c2VjcmV0");
    stage.awaitSecret(stage.consumer(), "many-1", "one", "c2VjcmV0");

    List<String> names = IntStream.rangeClosed(1, 501).mapToObj(i -> "secret-" + i).toList();
    patchSpec(
        stage.kind(), "a", Map.of("secrets", names, "namespaces", List.of("many-1", "many-2")));

    stage.kind().awaitEvent("a", "RelatedTooMany", "1000");
    stage.kind().awaitProblem("many", Problem.OBJECTS_FAILING, "RelatedTooMany (1)");
    assertThat(stage.consumer().find(SECRETS, "many-1", "one")).isPresent();
    patchSpec(
        stage.kind(), "a", Map.of("secrets", List.of("one"), "namespaces", List.of("many-1")));

    stage.kind().awaitNoProblem("many");
    assertThat(stage.consumer().find(SECRETS, "many-1", "one")).isPresent();
  }

  private static void hold(RelatedStage stage, KubeObject object, List<String> finalizers) {
    stage
        .consumer()
        .patch(
            SECRETS,
            object.namespace(),
            object.name(),
            Collections.singletonMap("metadata", Map.of("finalizers", finalizers)));
  }

  private static void patchSpec(OrderedKind orders, String name, Map<String, ?> spec) {
    orders.workspace().patch(orders.source(), "default", name, Map.of("spec", spec));
  }

  private static void patchData(
      KubeClient client, String namespace, String name, Map<String, String> data) {
    client.patch(SECRETS, namespace, name, Map.of("data", data));
  }

  private static void awaitData(
      KubeClient client, String namespace, String name, Map<String, String> data) {
    clusters.eventually(
        client, SECRETS, namespace, name, seen -> assertThat(seen.map("data")).isEqualTo(data));
  }
}
