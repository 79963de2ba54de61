package dev.mooring.sandbox.api.request;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;

/** Serves the URLs below {@code /services/}. Thread-safe. */
@FunctionalInterface
public interface VirtualWorkspaces {
  /**
   * A view and the rest of the path, which starts with a slash or is empty.
   *
   * @param rest such as {@code /api/v1/namespaces/default/configmaps}
   */
  record Resolved(ApiView view, String rest) {}

  /**
   * @param path decoded, from {@code /services/} on
   * @throws ApiFailure if no such virtual workspace is there or the user may not enter it
   */
  Resolved resolve(String path, UserInfo user);
}
