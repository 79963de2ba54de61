package dev.mooring.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.Kubeconfig;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests as the administrator of a kubeconfig, whatever that one logs in with. */
class CollectionDeletionIT {
  private static final String CONFIG_MAPS =
      "/clusters/root/api/v1/namespaces/default/configmaps?labelSelector=none";

  @TempDir private Path directory;

  @Test
  void deletesACollectionWithTheClientCertificateOfAKubeconfig() {
    CertificateAuthority clients =
        CertificateAuthority.in(directory.resolve("clients"), Instant.now());
    ClientIdentity identity =
        clients.clientIdentity("certified-admin", List.of("system:kcp:admin"), Instant.now());
    try (KcpSandbox kcp =
        KcpSandbox.start(
            ServerOptions.in(directory.resolve("kcp"))
                .withClientCaFile(directory.resolve("clients/ca.crt")))) {
      Path admin =
          Kubeconfig.read(kcp.kubeconfigFile())
              .withUser(identity.kubeconfigUser())
              .write(directory.resolve("admin.kubeconfig"));

      assertThat(CollectionDeletion.of(admin, URI.create(kcp.url() + CONFIG_MAPS)).status())
          .isEqualTo(200);
    }
  }

  @Test
  void deletesACollectionWithTheTokenOfAKubeconfig() {
    try (KcpSandbox kcp = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")))) {
      URI collection = URI.create(kcp.url() + CONFIG_MAPS);

      assertThat(CollectionDeletion.of(kcp.kubeconfigFile(), collection).status()).isEqualTo(200);
    }
  }
}
