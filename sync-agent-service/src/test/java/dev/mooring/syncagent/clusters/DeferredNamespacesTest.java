package dev.mooring.syncagent.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.lease.Share;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeferredNamespacesTest {
  private final ManualTime time = new ManualTime();
  private boolean down;
  private final ServerModel server =
      new ServerModel(
          new ServerModel.Faults() {
            @Override
            public void before(String verb) {
              if (down) {
                throw new KubeFailure(KubeFailure.Kind.UNAVAILABLE, 503, "", "down", null, null);
              }
            }

            @Override
            public void after(String verb) {}
          });
  private final KubeClient service = server.client(LogicalCluster.NONE);
  private final KubeClient person = server.person(LogicalCluster.NONE);
  private NamespaceContents contents = NamespaceContents.UNKNOWN;
  private boolean occupied;
  private final NamespaceWriter writer =
      new NamespaceWriter(service, _ -> contents, new WorkShare(Share.EVERYTHING), time);

  @Test
  void removesANamespaceOnceItIsKnownToBeEmpty() {
    remove(made());
    assertThat(found()).isPresent();
    assertThat(time.asked()).containsExactly(NamespaceWriter.DEFERRED_RECHECK);
    writer.removeDeferred();
    assertThat(found()).isPresent();

    contents = NamespaceContents.NOTHING;
    writer.removeDeferred();

    assertThat(found()).isEmpty();
  }

  @Test
  void keepsANamespaceInWhichSomethingTurnsOutToBe() {
    remove(made());

    contents = NamespaceContents.SOMETHING;
    writer.removeDeferred();
    contents = NamespaceContents.NOTHING;
    writer.removeDeferred();

    assertThat(found()).isPresent();
  }

  @Test
  void keepsANamespaceThatSomethingKnownIsInByThen() {
    remove(made());

    contents = NamespaceContents.NOTHING;
    occupied = true;
    writer.removeDeferred();

    assertThat(found()).isPresent();
  }

  @Test
  void keepsANamespaceThatSomebodyMadeHisOwnMeanwhile() {
    remove(made());
    person.patch(
        Clusters.NAMESPACES,
        "",
        "ours",
        Map.of("metadata", Map.of("labels", Map.of(SyncMarks.NAMESPACE_OF, "theirs"))));

    contents = NamespaceContents.NOTHING;
    writer.removeDeferred();

    assertThat(found()).isPresent();
  }

  @Test
  void asksAgainWhereTheServerDoesNotAnswer() {
    remove(made());
    contents = NamespaceContents.NOTHING;

    down = true;
    writer.removeDeferred();
    down = false;
    assertThat(found()).isPresent();
    writer.removeDeferred();

    assertThat(found()).isEmpty();
  }

  @Test
  void removesNothingOnceItIsClosed() {
    remove(made());

    writer.close();
    contents = NamespaceContents.NOTHING;
    writer.removeDeferred();

    assertThat(found()).isPresent();
  }

  private void remove(KubeObject namespace) {
    writer.remove(namespace, _ -> false, _ -> occupied);
  }

  private KubeObject made() {
    return person.create(
        Clusters.NAMESPACES,
        KubeObject.of(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Namespace",
                "metadata",
                Map.of("name", "ours", "labels", Map.of(SyncMarks.NAMESPACE_OF, "agent")))));
  }

  private Optional<KubeObject> found() {
    return person.find(Clusters.NAMESPACES, "", "ours").filter(n -> !n.deleting());
  }
}
