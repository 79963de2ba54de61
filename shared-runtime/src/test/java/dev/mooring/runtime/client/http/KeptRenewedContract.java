package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.testing.ClientCertificate;
import dev.mooring.runtime.testing.Pem;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection as a service makes it, whose client certificate is replaced while it is in use. */
public abstract class KeptRenewedContract {
  /** By the service's own code. */
  protected abstract KubeConnection connect(Path kubeconfig);

  @Test
  void showsTheClientCertificateThatReplacesItsOwn(@TempDir Path directory) throws Exception {
    Instant now = Instant.now();
    ServerIdentity identity =
        CertificateAuthority.in(directory.resolve("ca"), now).serverIdentity(Set.of(), now);
    var first = ClientCertificate.make(directory, "first", "EC");
    var second = ClientCertificate.make(directory, "second", "EC");
    Path authority = Files.writeString(directory.resolve("ca.crt"), Pem.of(identity.authority()));
    Path certificate = Files.writeString(directory.resolve("tls.crt"), first.certificatePem());
    Path key = Files.writeString(directory.resolve("tls.key"), first.keyPem());
    try (var server = new CertificateServer(identity, first.certificate())) {
      String user = "{client-certificate: %s, client-key: %s}".formatted(certificate, key);
      Path kubeconfig =
          Files.writeString(
              directory.resolve("kubeconfig"),
              StubServer.kubeconfig(server.url() + "/clusters/root:here", user)
                  .replace("{server: ", "{certificate-authority: " + authority + ", server: "));
      try (KubeConnection connection = connect(kubeconfig)) {
        assertThat(connection.client().document("version").tree()).isEmpty();

        server.now(identity, second.certificate());

        assertThatExceptionOfType(KubeFailure.class)
            .isThrownBy(() -> connection.client().document("version"));
        Files.writeString(key, second.keyPem());
        Files.writeString(certificate, second.certificatePem());
        await()
            .atMost(TestWorkspaces.PATIENCE.dividedBy(4))
            .ignoreException(KubeFailure.class)
            .untilAsserted(() -> connection.client().document("version"));
      }
    }
  }
}
