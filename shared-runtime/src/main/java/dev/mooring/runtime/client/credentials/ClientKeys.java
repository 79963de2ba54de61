package dev.mooring.runtime.client.credentials;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * Of which kind a client's private key is. fabric8 takes every key for RSA unless the configuration
 * says otherwise, and PKCS #8 files do not say it in their first line; the certificate always does.
 */
public final class ClientKeys {
  private static final byte[] PROBE = {1};

  private ClientKeys() {}

  /**
   * As {@link java.security.Key#getAlgorithm} names it; empty if there is no certificate.
   *
   * @throws IllegalArgumentException if there is one that cannot be read
   */
  static Optional<String> algorithm(Config config) {
    return certificate(config).map(certificate -> certificate.getPublicKey().getAlgorithm());
  }

  /**
   * The certificate that clients show; empty if there is none.
   *
   * @throws IllegalArgumentException if there is one that cannot be read
   */
  public static Optional<X509Certificate> certificate(Config config) {
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
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(
          "the client certificate "
              + (isNone(data) ? file : "in the kubeconfig")
              + " cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * A certificate that was replaced while its key was not yet is not to be shown: the server would
   * take it for another owner's.
   *
   * @param algorithm the certificate's
   * @throws IllegalArgumentException if there is a key, and it is not the certificate's
   */
  static void requirePair(Config config, String algorithm) {
    if (isNone(config.getClientKeyData()) && isNone(config.getClientKeyFile())) {
      return;
    }
    try {
      for (KeyManager manager : SSLUtils.keyManagers(config)) {
        if (manager instanceof X509KeyManager keys) {
          requirePairs(keys, algorithm);
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "the client certificate and its key cannot be used: " + e.getMessage(), e);
    }
  }

  private static void requirePairs(X509KeyManager keys, String algorithm)
      throws GeneralSecurityException {
    String[] aliases = keys.getClientAliases(algorithm, null);
    for (String alias : aliases == null ? new String[0] : aliases) {
      Signature signature = Signature.getInstance(signature(algorithm));
      signature.initSign(keys.getPrivateKey(alias));
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(keys.getCertificateChain(alias)[0].getPublicKey());
      signature.update(PROBE);
      if (!verified(signature, signed)) {
        throw new IllegalArgumentException(
            "the client certificate and its key do not belong together");
      }
    }
  }

  private static boolean verified(Signature signature, byte[] signed) {
    try {
      return signature.verify(signed);
    } catch (SignatureException _) {
      return false; // RSA, of another length
    }
  }

  private static String signature(String algorithm) {
    return switch (algorithm) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> algorithm;
    };
  }

  private static boolean isNone(String value) {
    return value == null || value.isEmpty();
  }
}
