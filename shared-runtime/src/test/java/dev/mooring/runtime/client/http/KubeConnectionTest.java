package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeConnectionTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final ConnectionOptions OPTIONS = ConnectionOptions.of("test");

  @TempDir private Path directory;
  private StubServer server;

  @BeforeEach
  void serves() {
    server = StubServer.start(StubServer.replying(200, "application/json", "{}"));
  }

  @AfterEach
  void closes() {
    server.close();
  }

  @Test
  void authenticatesWithUserAndPassword() {
    try (KubeConnection connection =
        server.connect(directory, "", "{username: me, password: secret}")) {
      connection.client().document("version");
    }

    assertThat(server.lastAsked().target()).isEqualTo("/version");
    assertThat(server.lastAsked().authorization()).isEqualTo("Basic bWU6c2VjcmV0");
  }

  @Test
  void sendsNoHeaderWithoutCredentials() {
    try (KubeConnection connection = server.connect(directory, "", "{}")) {
      connection.client().document("version");
    }

    assertThat(server.lastAsked().authorization()).isNull();
  }

  @Test
  void readsATokenFileAgainWhenItChanges() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "first\n");
    Files.setLastModifiedTime(token, FileTime.fromMillis(1_000));
    try (KubeConnection connection = server.connect(directory, "", "{tokenFile: token}")) {
      connection.client().find(SECRETS, "ns", "a");
      assertThat(server.lastAsked().authorization()).isEqualTo("Bearer first");

      Files.writeString(token, "second");
      connection.client().find(SECRETS, "ns", "a");

      assertThat(server.lastAsked().authorization()).isEqualTo("Bearer second");
    }
  }

  @Test
  void readsTheKubeconfigAgainWhenItsTokenIsRefused() throws IOException {
    server.now((asked, exchange) ->
        StubServer.reply(
            exchange,
            asked.authorization().equals("Bearer new") ? 200 : 401,
            "application/json",
            "{}"));
    try (KubeConnection connection = server.connect(directory, "", "{token: old}")) {
      Files.writeString(
          directory.resolve("kubeconfig"), StubServer.kubeconfig(server.url(), "{token: new}"));

      connection.client().document("version");
    }

    assertThat(server.asked())
        .extracting(StubServer.Asked::authorization)
        .containsExactly("Bearer old", "Bearer new");
  }

  @Test
  void usesThePodsServiceAccount() throws IOException {
    Path account = Files.createDirectory(directory.resolve("account"));
    Files.writeString(account.resolve("token"), "pod-token");
    Files.writeString(account.resolve("ca.crt"), certificate());

    try (KubeConnection connection =
        KubeConnection.inCluster(
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443"),
            account,
            OPTIONS)) {
      assertThat(connection.server()).hasToString("https://[fd00::1]:443");
    }
  }

  @Test
  void saysWhatIsWrongWithAKubeconfig() throws IOException {
    Path missing = directory.resolve("missing");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.fromKubeconfig(missing, OPTIONS))
        .withMessage("kubeconfig " + missing + " cannot be read");

    Path file =
        Files.writeString(
            directory.resolve("kubeconfig"), StubServer.kubeconfig(server.url(), "{}"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.fromKubeconfig(file, OPTIONS.inContext("other")))
        .withMessage("kubeconfig " + file + " has no context other; it has [lost, main]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.fromKubeconfig(file, OPTIONS.inContext("lost")))
        .withMessage("kubeconfig " + file + ": context lost names no server");

    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: main
        contexts: [{name: main, context: {cluster: main, user: main}}]
        clusters: [{cluster: {server: https://kcp.example.org}}]
        users: [{user: {token: some}}]
        """);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.fromKubeconfig(file, OPTIONS))
        .withMessage("kubeconfig " + file + ": context main names no server");

    Path garbage = Files.writeString(directory.resolve("garbage"), "- [}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.fromKubeconfig(garbage, OPTIONS))
        .withMessageContaining("kubeconfig " + garbage);
  }

  @Test
  void knowsAWorkspaceFromAWholeServer() {
    try (KubeConnection whole = server.connect(directory, "", "{}")) {
      assertThatIllegalArgumentException()
          .isThrownBy(whole::toWorkspace)
          .withMessageContaining(server.url() + " is no workspace of kcp");
    }
    try (KubeConnection workspace = server.connect(directory, "/clusters/root:org", "{}")) {
      assertThat(workspace.toWorkspace()).isSameAs(workspace);
    }
  }

  @Test
  void saysThatItIsNotInAPod() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KubeConnection.inCluster(Map.of(), directory, OPTIONS))
        .withMessageContaining("not in a pod");
  }

  /** A root that signed nothing here: reading it is all that is asked. */
  private static String certificate() {
    return """
    -----BEGIN CERTIFICATE-----
    MIIBhDCCASugAwIBAgIUatL/iULw7CYmPh1bg+r1VDjM0a4wCgYIKoZIzj0EAwIw
    FzEVMBMGA1UEAwwMZXhhbXBsZS1yb290MCAXDTI2MTEyMTEyNDIyMloYDzIxMjYx
    MDI4MTI0MjIyWjAXMRUwEwYDVQQDDAxleGFtcGxlLXJvb3QwWTATBgcqhkjOPQIB
    BggqhkjOPQMBBwNCAATyTwQ9jbG4c5HEUdOgr2YClrTujfesl8ax+MGHZkS8RPmf
    FMfcdAQ0WrhCwIF0ZUSZB8wanus+GJsip4uWxJ7fo1MwUTAdBgNVHQ4EFgQUQqC+
    LmHqPtcRdA9P88rj8nPA2C4wHwYDVR0jBBgwFoAUQqC+LmHqPtcRdA9P88rj8nPA
    2C4wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBtl7b0iNrl2epn
    UtVbnM+G9nskawiavaIoPT+UEtiS/wIgCtbKycQyQIVNpmeu/LJGe7B4++jd/wx7
    mEoTzo6GRNU=
    -----END CERTIFICATE-----
    """;
  }
}
