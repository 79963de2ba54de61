package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a copy's dependents, by the annotation of the consumer's object. */
class DeletionPropagationIT {
  private static final String ANNOTATION = "syncagent.kcp.io/deletion-propagation-policy";
  private static final ResourceType DEPENDENTS = ResourceType.core("configmaps");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void orphanKeepsDependents() {
    RelatedStage stage = RelatedStage.publish(clusters, "orphaning");
    order(stage, "a", "orphan");
    dependent(stage, stage.copy("a"), "a", List.of());

    stage.deleteOrder("a");
    stage.awaitOrderGone("a");

    assertThat(stage.service().find(DEPENDENTS, stage.local(), "a"))
        .hasValueSatisfying(kept -> {
          assertThat(kept.deleting()).isFalse();
          assertThat(kept.list("metadata", "ownerReferences")).isEmpty();
        });
  }

  @Test
  void foregroundWaitsForDependents() {
    RelatedStage stage = RelatedStage.publish(clusters, "waiting");
    order(stage, "b", "foreground");
    dependent(stage, stage.copy("b"), "b", List.of("example.io/hold"));

    stage.deleteOrder("b");
    clusters.eventually(
        stage.service(),
        DEPENDENTS,
        stage.local(),
        "b",
        seen -> assertThat(seen.deleting()).isTrue());
    assertThat(stage.copy("b").finalizers()).contains("foregroundDeletion");
    stage
        .service()
        .patch(DEPENDENTS, stage.local(), "b", Map.of("metadata", Map.of("finalizers", List.of())));

    stage.awaitOrderGone("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"background", "none", "Orphan"})
  void otherwiseDependentsGoAfterTheCopy(String value) {
    String id = "background-" + value.toLowerCase(Locale.ROOT);
    RelatedStage stage = RelatedStage.publish(clusters, id);
    order(stage, id, value);
    dependent(stage, stage.copy(id), id, List.of());

    stage.deleteOrder(id);
    stage.awaitOrderGone(id);

    clusters.eventuallyGone(stage.service(), DEPENDENTS, stage.local(), id);
  }

  @Test
  void relatedObjectsOfConsumersHaveTheirOwn() {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            "propagated",
            "{'identifier':'login','origin':'kcp','kind':'Secret',"
                + "'object':{'template':{'template':'{{ .Object.metadata.name }}'}}}");
    stage.secret(stage.consumer(), "default", "c", "c2VjcmV0");
    annotate(stage, SECRETS, "c", "orphan");
    stage.order("c");
    KubeObject copy = stage.awaitSecret(stage.service(), stage.local(), "c", "c2VjcmV0");
    dependent(stage, copy, "c", List.of());

    TwoClusters.delete(stage.consumer(), SECRETS, "default", "c");
    stage.awaitNoSecret(stage.service(), stage.local(), "c");
    stage.awaitNoSecret(stage.consumer(), "default", "c");

    assertThat(stage.service().find(DEPENDENTS, stage.local(), "c"))
        .hasValueSatisfying(kept -> assertThat(kept.deleting()).isFalse());
  }

  private static void order(RelatedStage stage, String name, String policy) {
    stage.order(name);
    stage.copy(name);
    annotate(stage, stage.type(), name, policy);
    assertThat(stage.copy(name).annotations()).doesNotContainKey(ANNOTATION);
  }

  private static void annotate(RelatedStage stage, ResourceType type, String name, String policy) {
    stage
        .consumer()
        .patch(
            type,
            "default",
            name,
            Map.of("metadata", Map.of("annotations", Map.of(ANNOTATION, policy))));
  }

  private static void dependent(
      RelatedStage stage, KubeObject owner, String name, List<String> finalizers) {
    KubeObject dependent =
        TwoClusters.object(
                """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  namespace: %s
                  name: %s
                  ownerReferences:
                  - {apiVersion: %s, kind: %s, name: %s, uid: %s, blockOwnerDeletion: true}
                """,
                stage.local(), name, owner.apiVersion(), owner.kind(), owner.name(), owner.uid())
            .withFinalizers(finalizers);
    stage.service().create(DEPENDENTS, dependent);
  }
}
