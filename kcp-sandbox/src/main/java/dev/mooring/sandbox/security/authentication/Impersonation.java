package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;

/** Lets a user act as another one where it is allowed to. Thread-safe. */
@FunctionalInterface
public interface Impersonation {
  /**
   * The user itself if the request does not ask for another one.
   *
   * @param view empty for a bare path
   * @throws ApiFailure 403 if the user may not
   */
  UserInfo apply(UserInfo user, Credentials credentials, Optional<RequestScope> view);
}
