package dev.mooring.sandbox.kcp.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimLabelsTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("consumer");
  private static final ResourceKey CONFIG_MAPS = ResourceKey.of("", "configmaps");
  private static final String LABEL = KcpNames.CLAIMED_PREFIX + "export";

  private final LoopbackClient objects =
      new LoopbackClient(
          new InMemoryResourceStore(), InstantSource.fixed(Instant.EPOCH), _ -> Optional.empty());
  private final ClaimLabels labels = new ClaimLabels(objects);
  private final StoredObject claimed =
      objects.create(
          CONFIG_MAPS,
          CLUSTER,
          KubeObject.of(
              Map.of(
                  "metadata",
                  Map.of("name", "a", "namespace", "default", "labels", Map.of(LABEL, "claim")))));

  private Map<String, String> stored() {
    return objects.get(CONFIG_MAPS, CLUSTER, "default", "a").orElseThrow().object().labels();
  }

  private static KubeObject binding() {
    return KubeObject.of(
        Map.of("metadata", Map.of("labels", Map.of(KcpNames.BOUND_EXPORT, "export"))));
  }

  /** The controller may see an object's event only after the binding has gone. */
  @Test
  void keepTheLabelOfABindingThatHasGoneUntilTheNextWrite() {
    labels.correct(claimed, List.of());

    assertThat(stored()).containsKey(LABEL);
    assertThat(ClaimLabels.labelled(claimed.object(), CONFIG_MAPS, List.of()).labels()).isEmpty();
  }

  @Test
  void loseTheLabelOfABindingThatDoesNotAcceptTheClaim() {
    labels.correct(claimed, List.of(binding()));

    assertThat(stored()).isEmpty();
  }
}
