package dev.mooring.sandbox.security;

/**
 * What a client logs in with, in PEM: the values of a kubeconfig's {@code client-certificate-data}
 * and {@code client-key-data} before base64.
 */
public record ClientIdentity(String certificatePem, String keyPem) {
  /** Never the key. */
  @Override
  public String toString() {
    return "ClientIdentity[]";
  }
}
