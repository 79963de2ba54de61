package dev.mooring.depcontroller;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;

class KubeconfigTest {
  @Test
  void isRefusedIfItPointsAtNoWorkspace(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: kcp, cluster: {server: "https://kcp.example:6443"}}]
            contexts: [{name: main, context: {cluster: kcp, user: me}}]
            users: [{name: me, user: {token: secret}}]
            current-context: main
            """);

    assertThatThrownBy(() ->
            new SpringApplicationBuilder(DependencyControllerApplication.class)
                .profiles("local")
                .run(
                    "--server.port=0",
                    "--mooring.dependency-controller.kubeconfig=" + file,
                    "--mooring.dependency-controller.webhook-url=https://hook.example/validate"))
        .rootCause()
        .hasMessageContaining("https://kcp.example:6443 is no workspace of kcp");
  }
}
