package dev.mooring.sandbox.security;

import dev.mooring.sandbox.api.ApiFailure;

/** Finds out who sends a request. Thread-safe. */
@FunctionalInterface
public interface Authenticator {
  /**
   * {@link UserInfo#anonymous} if there are no credentials at all. Impersonation headers are not
   * looked at: see {@link Impersonation}.
   *
   * @throws ApiFailure 401 for credentials that are not valid
   */
  UserInfo authenticate(Credentials credentials);
}
