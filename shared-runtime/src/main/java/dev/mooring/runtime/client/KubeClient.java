package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.net.URI;
import java.util.Map;

/**
 * Reads, writes and watches of one cluster. A write is one request; nothing is retried here. Every
 * failure is a {@link KubeFailure}. Blocking, meant for virtual threads; thread-safe.
 */
public interface KubeClient extends KubeReader {
  /** The URL below which {@code api/} and {@code apis/} lie; no trailing slash. */
  URI url();

  /**
   * Opens a watch that delivers to {@code sink}, in order, until it is closed from either side.
   * Returns once the server has accepted it; refusal is a {@link KubeFailure}.
   */
  WatchHandle watch(ResourceType type, WatchQuery query, WatchSink sink);

  /** Fails with {@link KubeFailure.Kind#ALREADY_EXISTS} if the name is taken. */
  KubeObject create(ResourceType type, KubeObject object);

  /** Replaces the object, on condition that it still has the given object's resource version. */
  KubeObject update(ResourceType type, KubeObject object);

  /**
   * Replaces the status alone, on condition that the object still has the given one's resource
   * version.
   */
  KubeObject updateStatus(ResourceType type, KubeObject object);

  /**
   * Merge patch (RFC 7386). Put {@code metadata.resourceVersion} (or {@code uid}) into the patch to
   * make it conditional.
   */
  KubeObject patch(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch);

  /** As {@link #patch}, on the status subresource. */
  KubeObject patchStatus(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch);

  /**
   * Requests deletion; succeeds while finalizers still hold the object. Absence is {@link
   * KubeFailure.Kind#NOT_FOUND}.
   */
  void delete(ResourceType type, String namespace, String name, DeleteCondition condition);
}
