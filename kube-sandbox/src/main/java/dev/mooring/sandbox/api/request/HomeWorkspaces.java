package dev.mooring.sandbox.api.request;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;

/**
 * Answers for {@code workspaces/~} of the workspace root: the user's own workspace. Thread-safe.
 */
@FunctionalInterface
public interface HomeWorkspaces {
  /**
   * The Workspace; empty while it is made, which begins when a user asks for the first time.
   *
   * @throws ApiFailure if the user may not have one
   */
  Optional<KubeObject> of(UserInfo user);
}
