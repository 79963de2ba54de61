package dev.mooring.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingCertificateTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path directory;
  @TempDir private Path other;

  @Test
  void isTrustedByItsAuthorityAlthoughAnEarlierRunHasChangedBoth() throws Exception {
    ServingCertificate earlier = ServingCertificate.in(directory, NOW);
    ServingCertificate foreign = ServingCertificate.in(other, NOW);
    Files.write(earlier.authority(), Files.readAllBytes(foreign.authority()));
    Files.write(directory.resolve("tls.crt"), Files.readAllBytes(other.resolve("tls.crt")));

    ServingCertificate again = ServingCertificate.in(directory, NOW);

    X509Certificate authority = certificate(again.authority());
    certificate(again.directory().resolve("tls.crt")).verify(authority.getPublicKey());
    assertThat(authority).isNotEqualTo(certificate(foreign.authority()));
  }

  private static X509Certificate certificate(Path file) throws IOException, CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
  }
}
