package dev.mooring.sandbox.security.authentication;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a request brings to say who it is from. {@link #toString} shows no secret.
 *
 * @param certificates that the client presented in the TLS handshake, its own first; not verified
 * @param bearerToken without the word Bearer
 * @param impersonation the {@code Impersonate-*} headers, names in lower case
 */
public record Credentials(
    List<X509Certificate> certificates,
    Optional<String> bearerToken,
    Map<String, List<String>> impersonation) {
  public Credentials {
    certificates = List.copyOf(certificates);
    impersonation = Map.copyOf(impersonation);
  }

  @Override
  public String toString() {
    return "Credentials["
        + (bearerToken.isPresent() ? "a token" : "no token")
        + (certificates.isEmpty() ? "" : ", a certificate")
        + "]";
  }
}
