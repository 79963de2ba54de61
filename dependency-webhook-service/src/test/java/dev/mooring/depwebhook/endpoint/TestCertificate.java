package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.security.CertificateAuthority;
import dev.mooring.sandbox.security.ServerIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Set;

/**
 * What a service on this machine serves with.
 *
 * @param directory with tls.crt, tls.key and the authority's ca.crt
 */
record TestCertificate(Path directory) {
  static TestCertificate forLocalhost(Path directory) throws Exception {
    Files.createDirectories(directory);
    var now = SystemTime.clock().instant();
    CertificateAuthority authority = CertificateAuthority.in(directory.resolve("authority"), now);
    ServerIdentity identity = authority.serverIdentity(Set.of("127.0.0.1"), now);
    Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    write(directory.resolve("tls.key"), "PRIVATE KEY", identity.key().getEncoded());
    write(directory.resolve("tls.crt"), "CERTIFICATE", identity.certificate().getEncoded());
    return new TestCertificate(directory);
  }

  private static void write(Path file, String label, byte[] der) throws IOException {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, base64));
  }
}
