package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;

/** Finds out who sends a request. Thread-safe. */
@FunctionalInterface
public interface Authenticator {
  /**
   * {@link UserInfo#anonymous} if there are no credentials at all. Impersonation headers are not
   * read: see {@link Impersonation}.
   *
   * @throws ApiFailure 401 for credentials that are not valid
   */
  UserInfo authenticate(Credentials credentials);
}
