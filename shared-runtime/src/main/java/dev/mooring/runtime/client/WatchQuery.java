package dev.mooring.runtime.client;

import java.util.Objects;

/**
 * From where and on what to watch.
 *
 * @param namespace empty for all
 * @param labelSelector empty for all objects
 * @param fieldSelector empty for all objects
 * @param resourceVersion after which to start: that of a list
 */
public record WatchQuery(
    String namespace, String labelSelector, String fieldSelector, String resourceVersion) {
  public WatchQuery {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(labelSelector, "labelSelector");
    Objects.requireNonNull(fieldSelector, "fieldSelector");
    Objects.requireNonNull(resourceVersion, "resourceVersion");
  }
}
