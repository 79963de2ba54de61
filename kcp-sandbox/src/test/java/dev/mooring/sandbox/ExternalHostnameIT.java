package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kube.KubeOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalHostnameIT {
  @Test
  void isInAllUrlsAndInTheCertificate(@TempDir Path root) {
    // An address of this machine that certificates do not name by themselves.
    var options =
        new ServerOptions(
            new KubeOptions(
                root,
                Optional.empty(),
                "0.0.0.0",
                Optional.of("127.0.0.2"),
                0,
                Optional.empty(),
                Optional.empty()),
            List.of(),
            2,
            Optional.empty());
    try (KcpSandbox sandbox = KcpSandbox.start(options)) {
      List<Object> shards =
          SandboxClient.of(sandbox, "kcp-admin")
              .get("/clusters/root/apis/core.kcp.io/v1alpha1/shards")
              .body()
              .list("items");

      assertThat(shards).hasSize(2);
      for (Object shard : shards) {
        for (String field : List.of("baseURL", "externalURL", "virtualWorkspaceURL")) {
          assertThat(URI.create(Trees.text(shard, "spec", field))).hasHost("127.0.0.2");
        }
      }
      assertThat(sandbox.kubeconfig()).contains("server: " + sandbox.url());
      assertThat(sandbox.url()).hasHost("127.0.0.2");
    }
  }
}
