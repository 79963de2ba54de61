package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnboundTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");

  @Test
  void asksTheProviderToBind() {
    assertThat(message(Optional.empty()))
        .contains("(logical cluster network1) does not bind")
        .contains("create an APIBinding there")
        .doesNotContain("delete");
  }

  @Test
  void saysWhatToDoWithWhatAProviderLeftBehind() {
    KubeObject left = WebhookConfigurationBuilder.configuration(List.of());

    assertThat(message(Optional.of(left)))
        .contains("create an APIBinding there")
        .contains("delete its ValidatingWebhookConfiguration dependency-controller there");
  }

  private static String message(Optional<KubeObject> left) {
    return BlockedWrite.unbound(NETWORK, left).message();
  }
}
