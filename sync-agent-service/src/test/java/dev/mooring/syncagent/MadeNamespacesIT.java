package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.NAMESPACES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Namespaces that are made for copies of related objects, where {@code cleanupNamespaces} is on.
 */
class MadeNamespacesIT {
  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void goWithTheLastCopyInThem() {
    RelatedStage stage = publish("made");
    for (String name : new String[] {"a", "b"}) {
      stage.secret(stage.consumer(), "default", name, "c2VjcmV0");
      stage.order(name);
      stage.awaitSecret(stage.service(), "made-company", name, "c2VjcmV0");
    }
    assertThat(namespace("made-company").labels())
        .containsEntry(SyncMarks.NAMESPACE_OF, "certs-syncagent");

    stage.deleteOrder("a");
    stage.awaitOrderGone("a");
    stage.awaitNoSecret(stage.service(), "made-company", "a");
    assertThat(namespace("made-company").deleting()).isFalse();
    TwoClusters.delete(stage.consumer(), TwoClusters.SECRETS, "default", "b");

    clusters.eventuallyGone(stage.service(), NAMESPACES, "", "made-company");
    assertThat(stage.copy("b").deleting()).isFalse();
    stage.awaitNoSecret(stage.consumer(), "default", "b");
  }

  @Test
  void stayIfTheAgentDidNotMakeThem() {
    RelatedStage stage = publish("found");
    RelatedStage.namespace(stage.service(), "found-company");
    stage.secret(stage.consumer(), "default", "c", "c2VjcmV0");
    stage.order("c");
    stage.awaitSecret(stage.service(), "found-company", "c", "c2VjcmV0");

    stage.deleteOrder("c");
    stage.awaitOrderGone("c");

    stage.awaitNoSecret(stage.service(), "found-company", "c");
    assertThat(namespace("found-company").deleting()).isFalse();
    assertThat(namespace("found-company").labels()).doesNotContainKey(SyncMarks.NAMESPACE_OF);
  }

  @Test
  void carryTheMetadataOfThePublishedResource() {
    RelatedStage stage = publish("labelled");
    stage.secret(stage.consumer(), "default", "d", "c2VjcmV0");
    stage.order("d");
    stage.awaitSecret(stage.service(), "labelled-company", "d", "c2VjcmV0");

    String tenant = stage.copy("d").namespace();
    for (String name : new String[] {tenant, "labelled-company"}) {
      KubeObject namespace = namespace(name);
      assertThat(namespace.labels())
          .containsEntry("example.io/tenant", "tenant-" + tenant)
          .containsEntry(SyncMarks.NAMESPACE_OF, "certs-syncagent");
      assertThat(namespace.annotations()).containsEntry("example.io/billing", "team a");
    }
  }

  private static RelatedStage publish(String id) {
    Map<String, Object> metadata =
        Map.of(
            "labels", Map.of("example.io/tenant", "tenant-{{ .ClusterName }}"),
            "annotations", Map.of("example.io/billing", "team a"));
    return RelatedStage.publish(
        clusters,
        id,
        published ->
            published
                .with(true, "spec", "naming", "cleanupNamespaces")
                .with(metadata, "spec", "naming", "namespaceMetadata"),
        "{'identifier':'login','origin':'kcp','kind':'Secret',"
            + "'object':{'template':{'template':'{{ .Object.metadata.name }}'},"
            + "'namespace':{'template':{'template':"
            + "'{{ if eq .Side `kcp` }}default{{ else }}"
            + id
            + "-company{{ end }}'}}}}");
  }

  private static KubeObject namespace(String name) {
    return clusters.service().find(NAMESPACES, "", name).orElseThrow();
  }
}
