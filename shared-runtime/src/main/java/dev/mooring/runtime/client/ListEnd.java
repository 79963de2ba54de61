package dev.mooring.runtime.client;

import java.util.Objects;

/**
 * What a page of a list says beside its objects.
 *
 * @param resourceVersion of the whole list
 * @param continueToken empty on the last page
 */
public record ListEnd(String resourceVersion, String continueToken) {
  public ListEnd {
    Objects.requireNonNull(resourceVersion, "resourceVersion");
    Objects.requireNonNull(continueToken, "continueToken");
  }
}
