package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a consumer does not let the agent see, both the consumer and the owner are told of. */
class ClaimsIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void namesTheBindingThatRejectsARelatedType() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "guarded",
            "{'identifier':'login','origin':'service','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-login'}}}");
    stage.order("a");
    stage.copy("a");
    stage.kind().awaitNoProblem("guarded");

    stage.rejectClaim("consumer-1", "secrets");

    stage.kind().awaitEvent("a", "ClaimRejected", "claim for secrets");
    stage
        .kind()
        .awaitProblem(
            "guarded",
            Problem.CLAIM_REJECTED,
            "APIBinding \"certs\" of workspace " + clusters.cluster("consumer-1"),
            "claim for secrets");
    stage.acceptClaims("consumer-1");
    stage.secret(stage.service(), stage.local(), "a-login", "c2VjcmV0");

    stage.awaitSecret(stage.consumer(), "default", "a-login", "c2VjcmV0");
    stage.kind().awaitNoProblem("guarded");
  }

  @Test
  void saysOfWhichObjectsItMayNotSeeTheNamespace() {
    var orders =
        OrderedKind.publish(
            clusters, "labelled", "filter: {namespace: {matchLabels: {example.io/sync: 'yes'}}}");
    var stage = new RelatedStage(clusters, orders.source());
    stage.acceptClaims("consumer-2");
    stage.rejectClaim("consumer-1", "namespaces");

    orders.order("a");

    orders.awaitEvent("a", "ClaimRejected", "claim for namespaces");
    orders.awaitProblem(
        "labelled",
        Problem.CLAIM_REJECTED,
        "APIBinding \"certs\" of workspace " + clusters.cluster("consumer-1"),
        "claim for namespaces",
        "ClaimRejected (1)");
    assertThat(orders.copies("default", "a")).isEmpty();

    clusters
        .consumer("consumer-1")
        .patch(
            TwoClusters.NAMESPACES,
            "",
            "default",
            Map.of("metadata", Map.of("labels", Map.of("example.io/sync", "yes"))));
    stage.acceptClaims("consumer-1");

    await()
        .atMost(AgentStart.PATIENCE)
        .untilAsserted(() -> assertThat(orders.copies("default", "a")).hasSize(1));
    orders.awaitNoProblem("labelled");
  }

  @Test
  void takesNothingForGoneThatASelectorHides() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "narrowed",
            "{'identifier':'settings','origin':'kcp','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}-settings'}}}");
    stage.secret(stage.consumer(), "default", "n-settings", "b25l");
    stage.order("n");
    stage.awaitSecret(stage.service(), stage.local(), "n-settings", "b25l");

    stage.narrowClaim("consumer-1", "secrets", "shared");

    stage.kind().awaitEvent("n", "ClaimNarrowed", "claim for secrets");
    stage.awaitSecret(stage.service(), stage.local(), "n-settings", "b25l");
    stage
        .consumer()
        .patch(
            TwoClusters.SECRETS,
            "default",
            "n-settings",
            Map.of(
                "metadata", Map.of("labels", Map.of("shared", "yes")),
                "data", Map.of("password", "dHdv")));
    clusters.eventually(
        stage.service(),
        TwoClusters.SECRETS,
        stage.local(),
        "n-settings",
        copy -> assertThat(copy.text("data", "password")).isEqualTo("dHdv"));
    stage.deleteOrder("n");
    stage.awaitOrderGone("n");
    stage.awaitNoSecret(stage.service(), stage.local(), "n-settings");
    assertThat(
            stage
                .consumer()
                .find(TwoClusters.SECRETS, "default", "n-settings")
                .orElseThrow()
                .finalizers())
        .isEmpty();
    stage.acceptClaims("consumer-1");
  }

  @Test
  void makesNoNameOfAPathThatItMayNotSee() {
    var orders =
        OrderedKind.publish(
            clusters,
            "hidden",
            "enableWorkspacePaths: true",
            "naming: {namespace: hidden, name: '{{ .ClusterPath | sha3short }}'}");
    orders.order("a");

    orders.awaitEvent("a", "NamingFailed", "logicalclusters.core.kcp.io");
    orders.awaitProblem("hidden", Problem.CLAIM_REJECTED, "claim for logicalclusters.core.kcp.io");
    assertThat(orders.copies("default", "a")).isEmpty();
    orders.acceptClaims();

    assertThat(orders.copy("a").annotations())
        .containsEntry(SyncMarks.SOURCE_WORKSPACE_PATH, "root:consumer-1");
    orders.of("consumer-2").acceptClaims();
    orders.awaitNoProblem("hidden");
  }
}
