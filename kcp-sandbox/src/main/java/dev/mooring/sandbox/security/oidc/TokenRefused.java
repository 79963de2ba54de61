package dev.mooring.sandbox.security.oidc;

/** A token of a known issuer that is not good; the message is Kubernetes'. */
final class TokenRefused extends Exception {
  private static final long serialVersionUID = 1L;

  TokenRefused(String message) {
    super(message, null, false, false);
  }
}
