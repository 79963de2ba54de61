package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.KubeVersions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KubeVersionsTest {
  /** The order that Kubernetes' documentation gives, turned round. */
  private static final List<String> ASCENDING =
      List.of(
          "foo10",
          "foo1",
          "v11alpha2",
          "v12alpha1",
          "v3beta1",
          "v10beta3",
          "v11beta2",
          "v1",
          "v2",
          "v10");

  @Test
  void sortsAsKubernetesDoes() {
    var shuffled = new ArrayList<>(ASCENDING);
    Collections.shuffle(shuffled, new Random(7));

    shuffled.sort(KubeVersions.ASCENDING);

    assertThat(shuffled).isEqualTo(ASCENDING);
  }
}
