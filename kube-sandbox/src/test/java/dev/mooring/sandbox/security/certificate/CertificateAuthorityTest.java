package dev.mooring.sandbox.security.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {
  // Certificate paths are validated against the real clock.
  private static final Instant NOW = Instant.now();

  @TempDir Path directory;

  @Test
  void serverCertificateIsTrustedThroughTheAuthority() throws Exception {
    ServerIdentity identity = authority().serverIdentity(Set.of(), NOW);

    var parameters = new PKIXParameters(Set.of(new TrustAnchor(identity.authority(), null)));
    parameters.setRevocationEnabled(false);
    var path =
        CertificateFactory.getInstance("X.509").generateCertPath(List.of(identity.certificate()));
    assertThat(CertPathValidator.getInstance("PKIX").validate(path, parameters)).isNotNull();
  }

  @Test
  void serverCertificateCoversThisMachineAndTheGivenHosts() {
    ServerIdentity identity =
        authority().serverIdentity(Set.of("sandbox", "10.0.0.7", "sandbox.example.com"), NOW);

    assertThat(CertificateAuthority.namesOf(identity.certificate()))
        .containsExactlyInAnyOrder(
            "localhost",
            "127.0.0.1",
            CertificateAuthority.canonical("::1"),
            "sandbox",
            "10.0.0.7",
            "sandbox.example.com");
  }

  @Test
  void restartKeepsAuthorityAndCertificate() {
    ServerIdentity before = authority().serverIdentity(Set.of("sandbox"), NOW);

    ServerIdentity after =
        authority().serverIdentity(Set.of("sandbox"), NOW.plus(Duration.ofDays(1)));

    assertThat(after.authority()).isEqualTo(before.authority());
    assertThat(after.certificate()).isEqualTo(before.certificate());
    assertThat(after.key()).isEqualTo(before.key());
  }

  @Test
  void anotherHostGetsANewCertificateFromTheSameAuthority() {
    ServerIdentity before = authority().serverIdentity(Set.of(), NOW);

    ServerIdentity after = authority().serverIdentity(Set.of("sandbox"), NOW);

    assertThat(after.certificate()).isNotEqualTo(before.certificate());
    assertThat(after.authority()).isEqualTo(before.authority());
  }

  @Test
  void certificateAboutToExpireIsReplaced() {
    ServerIdentity before = authority().serverIdentity(Set.of(), NOW);

    ServerIdentity after = authority().serverIdentity(Set.of(), NOW.plus(Duration.ofDays(340)));

    assertThat(after.certificate()).isNotEqualTo(before.certificate());
  }

  @Test
  void keysAreReadableByTheOwnerAlone() throws Exception {
    authority().serverIdentity(Set.of(), NOW);

    for (String key : List.of("ca.key", "apiserver.key")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(key))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void damagedCertificateIsNamed() throws Exception {
    authority();
    Files.writeString(directory.resolve("ca.crt"), "not a certificate");

    assertThatThrownBy(this::authority)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ca.crt holds no certificate; remove it and start again");
  }

  @Test
  void keyStoreHoldsTheChain() throws Exception {
    ServerIdentity identity = authority().serverIdentity(Set.of(), NOW);

    KeyStore store = identity.keyStore("secret".toCharArray());

    assertThat(store.getCertificateChain("server"))
        .containsExactly(identity.certificate(), identity.authority());
  }

  private CertificateAuthority authority() {
    return CertificateAuthority.in(directory, NOW);
  }
}
