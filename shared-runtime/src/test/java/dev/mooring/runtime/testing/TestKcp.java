package dev.mooring.runtime.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A kcp that tests are given. They prepare it as its administrator; the code under test is a user
 * of its own, who logs in with a client certificate.
 *
 * @param kubeconfig of the administrator
 * @param clients the certificate authority (CA) whose client certificates kcp accepts
 */
public record TestKcp(Path kubeconfig, CertificateAuthority clients) {
  public TestKcp {
    Objects.requireNonNull(kubeconfig, "kubeconfig");
    Objects.requireNonNull(clients, "clients");
  }

  /**
   * The kcp of {@code KCP_KUBECONFIG}, whose client CA is in {@code KCP_CLIENT_CA} and {@code
   * KCP_CLIENT_CA_KEY}. Skips the tests where one of the three is not set.
   *
   * @param directory for what the CA signs
   */
  public static TestKcp running(Path directory) {
    return new TestKcp(
        variable("KCP_KUBECONFIG"),
        CertificateAuthority.of(
            variable("KCP_CLIENT_CA"), variable("KCP_CLIENT_CA_KEY"), directory));
  }

  private static Path variable(String name) {
    String value = System.getenv(name);
    assumeTrue(value != null && !value.isBlank(), "skipped: no kcp (" + name + " is not set)");
    return Path.of(value);
  }
}
