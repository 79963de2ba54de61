package dev.mooring.sandbox.security.certificate;

import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.X509TrustManager;

/** The certificate authorities whose client certificates log in. Thread-safe. */
public final class ClientAuthorities {
  private final X509TrustManager verifier;

  private ClientAuthorities(X509TrustManager verifier) {
    this.verifier = verifier;
  }

  /**
   * Those of a PEM file.
   *
   * @throws java.io.UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException if it holds no certificate
   */
  public static ClientAuthorities in(Path file) {
    List<X509Certificate> certificates = PemFiles.readCertificates(file);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("the client CA file " + file + " holds no certificate");
    }
    return new ClientAuthorities(TrustedAuthorities.trusting(certificates));
  }

  /**
   * Whether the chain's first certificate is valid now, for a client, and signed by one of them.
   */
  public boolean verify(List<X509Certificate> chain) {
    try {
      verifier.checkClientTrusted(chain.toArray(X509Certificate[]::new), "UNKNOWN");
      return true;
    } catch (CertificateException notTrusted) {
      return false;
    }
  }

  /** Their certificates, which the TLS handshake names to clients. */
  public X509Certificate[] accepted() {
    return verifier.getAcceptedIssuers();
  }
}
