package dev.mooring.cli.demo;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Signs real TLS certificates with an authority that lives as long as the demo's directory. */
final class CertificateIssuer {
  private final Path directory;

  CertificateIssuer(Path directory) {
    this.directory = directory;
  }

  /** A new key and a certificate for it. */
  Issued issue(List<String> dnsNames, Instant now) {
    forgetTheLastOne();
    ServerIdentity identity =
        CertificateAuthority.in(directory, now).serverIdentity(Set.copyOf(dnsNames), now);
    try {
      return new Issued(
          Map.of(
              "ca.crt", data("CERTIFICATE", identity.authority().getEncoded()),
              "tls.crt", data("CERTIFICATE", identity.certificate().getEncoded()),
              "tls.key", data("PRIVATE KEY", identity.key().getEncoded())),
          identity.certificate().getSerialNumber().toString(16),
          identity.certificate().getNotAfter().toInstant());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate just made has no encoding", e);
    }
  }

  /** The authority would hand out a certificate that covers these names a second time. */
  private void forgetTheLastOne() {
    try {
      Files.deleteIfExists(directory.resolve("apiserver.crt"));
      Files.deleteIfExists(directory.resolve("apiserver.key"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @param secretData as it stands in a Secret of type {@code kubernetes.io/tls}
   */
  record Issued(Map<String, String> secretData, String serialNumber, Instant notAfter) {
    /** Never the key. */
    @Override
    public String toString() {
      return "Issued[" + serialNumber + "]";
    }
  }

  private static String data(String kind, byte[] der) {
    String pem =
        "-----BEGIN "
            + kind
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
            + "\n-----END "
            + kind
            + "-----\n";
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }
}
