package dev.mooring.harness;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Set;

/**
 * What the dependency webhook serves with on this machine, signed by an authority of its own.
 *
 * @param directory holds {@code tls.crt} and {@code tls.key}
 * @param authority the PEM file that callers have to trust; a test of a changed authority writes
 *     another one into it
 */
public record ServingCertificate(Path directory, Path authority) {
  /**
   * Makes both, or reuses what an earlier run left in the directory; the files that are served and
   * trusted are written again.
   */
  public static ServingCertificate in(Path directory, Instant now) {
    CertificateAuthority.in(directory, now).serverIdentity(Set.of(), now);
    Path authority = directory.resolve("bundle.crt");
    try {
      copy(directory.resolve("apiserver.crt"), directory.resolve("tls.crt"));
      copy(directory.resolve("apiserver.key"), directory.resolve("tls.key"));
      copy(directory.resolve("ca.crt"), authority);
    } catch (IOException e) {
      throw new HarnessFailure(
          "The webhook's certificate could not be put into " + directory + ": " + e.getMessage(),
          e);
    }
    return new ServingCertificate(directory, authority);
  }

  /** The certificates that callers have to trust, in PEM. */
  public byte[] authorityPem() {
    return OwnFiles.read(authority).getBytes(StandardCharsets.UTF_8);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
