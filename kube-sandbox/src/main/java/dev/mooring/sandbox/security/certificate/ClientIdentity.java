package dev.mooring.sandbox.security.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Map;

/** What a client logs in with, in PEM. */
public record ClientIdentity(String certificatePem, String keyPem) {
  /** The {@code user} entry of a kubeconfig. */
  public Map<String, Object> kubeconfigUser() {
    return Map.of(
        "client-certificate-data", base64(certificatePem), "client-key-data", base64(keyPem));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(US_ASCII));
  }

  /** Never the key. */
  @Override
  public String toString() {
    return "ClientIdentity[]";
  }
}
