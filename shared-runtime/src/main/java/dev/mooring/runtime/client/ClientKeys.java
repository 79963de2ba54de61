package dev.mooring.runtime.client;

import io.fabric8.kubernetes.client.Config;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Optional;

/**
 * Of which kind a client's private key is. fabric8 takes every key for RSA unless it is told
 * otherwise, and PKCS #8 files do not say it in their first line; the certificate always does.
 */
final class ClientKeys {
  private ClientKeys() {}

  /**
   * As {@link java.security.Key#getAlgorithm} names it; empty if there is no certificate.
   *
   * @throws IllegalArgumentException if there is one that cannot be read
   */
  static Optional<String> algorithm(Config config) {
    String data = config.getClientCertData();
    String file = config.getClientCertFile();
    if (isNone(data) && isNone(file)) {
      return Optional.empty();
    }
    try (InputStream in =
        isNone(data)
            ? Files.newInputStream(Path.of(file))
            : new ByteArrayInputStream(Base64.getMimeDecoder().decode(data))) {
      return Optional.of(
          CertificateFactory.getInstance("X.509")
              .generateCertificate(in)
              .getPublicKey()
              .getAlgorithm());
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(
          "the client certificate "
              + (isNone(data) ? file : "in the kubeconfig")
              + " cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  private static boolean isNone(String value) {
    return value == null || value.isEmpty();
  }
}
