package dev.mooring.depwebhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WebhookFlagsTest {
  @Test
  void takesTheFlagsOfTheGoProgram() {
    assertThat(
            WebhookFlags.toSpring(
                "-api-export-name",
                "my.export",
                "--webhook-port=9444",
                "--tls-cert-dir",
                "/certs",
                "--health-probe-bind-address=:8081",
                "--zap-log-level=debug",
                "--kubeconfig=/kcp"))
        .containsExactly(
            "--mooring.dependency-webhook.api-export-name=my.export",
            "--server.port=9444",
            "--mooring.dependency-webhook.tls-cert-dir=/certs",
            "--management.server.port=8081",
            "--mooring.dependency-webhook.kubeconfig=/kcp");
  }

  @Test
  void leavesSpringsOwnArgumentsAlone() {
    assertThat(WebhookFlags.toSpring("--spring.profiles.active=local"))
        .containsExactly("--spring.profiles.active=local");
  }

  @Test
  void saysWhichFlagHasAWrongValue() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookFlags.toSpring("--health-probe-bind-address=8081"))
        .withMessageContaining("8081");
  }
}
