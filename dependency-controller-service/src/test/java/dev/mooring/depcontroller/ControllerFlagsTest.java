package dev.mooring.depcontroller;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControllerFlagsTest {
  @Test
  void takesTheCommandLineOfTheGoProgram() {
    assertThat(
            ControllerFlags.toSpring(
                "--api-export-name=dependencies.opendefense.cloud",
                "--kcp-base-host",
                "https://kcp:6443",
                "-kubeconfig=/etc/kcp/kubeconfig",
                "--webhook-url=https://hook:9443/validate",
                "--webhook-ca-bundle-path",
                "/etc/ca/ca.crt",
                "--health-probe-bind-address=:8081",
                "--zap-devel=false",
                "--zap-log-level",
                "debug"))
        .containsExactly(
            "--mooring.dependency-controller.api-export-name=dependencies.opendefense.cloud",
            "--mooring.dependency-controller.kcp-base-host=https://kcp:6443",
            "--mooring.dependency-controller.kubeconfig=/etc/kcp/kubeconfig",
            "--mooring.dependency-controller.webhook-url=https://hook:9443/validate",
            "--mooring.dependency-controller.webhook-ca-bundle-path=/etc/ca/ca.crt",
            "--server.port=8081");
  }
}
