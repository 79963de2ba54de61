package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Map;

/**
 * Writes to one cluster, each one request. Every failure is a {@link KubeFailure}; nothing is
 * retried here. Blocking, meant for virtual threads; thread-safe.
 */
public interface KubeWriter {
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
