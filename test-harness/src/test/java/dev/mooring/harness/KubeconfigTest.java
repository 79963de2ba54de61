package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.WorkspacePath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void writeKubeconfig() throws IOException {
    file = directory.resolve("admin.kubeconfig");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: base
          cluster: {server: "https://kcp.example.org:6443", certificate-authority: pki/ca.crt}
        - name: root
          cluster: {server: "https://kcp.example.org:6443/clusters/root", certificate-authority: pki/ca.crt}
        users:
        - name: kcp-admin
          user: {token: secret-token}
        contexts:
        - name: root
          context: {cluster: root, user: kcp-admin}
        current-context: root
        """);
  }

  @Test
  void readsTheCurrentContext() {
    Kubeconfig config = Kubeconfig.read(file);

    assertThat(config.server()).isEqualTo(URI.create("https://kcp.example.org:6443/clusters/root"));
    assertThat(config.user()).isEqualTo(Map.of("token", "secret-token"));
  }

  @Test
  void keepsFilesWhereTheyAreWhenWrittenElsewhere() {
    Path written =
        Kubeconfig.read(file)
            .at(new WorkspacePath("root:demo:team"))
            .write(directory.resolve("elsewhere/team.kubeconfig"));

    Kubeconfig again = Kubeconfig.read(written);
    assertThat(again.server())
        .isEqualTo(URI.create("https://kcp.example.org:6443/clusters/root:demo:team"));
    assertThat(again.cluster())
        .containsEntry(
            "certificate-authority", directory.resolve("pki/ca.crt").toAbsolutePath().toString());
  }

  @Test
  void neverShowsCredentials() {
    assertThat(Kubeconfig.read(file).toString()).doesNotContain("secret-token");
  }

  @Test
  void saysWhatTheFileLacks() throws IOException {
    Files.writeString(file, "current-context: gone\ncontexts: []\n");

    assertThatThrownBy(() -> Kubeconfig.read(file))
        .isInstanceOf(HarnessFailure.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("\"gone\" under contexts");
  }
}
