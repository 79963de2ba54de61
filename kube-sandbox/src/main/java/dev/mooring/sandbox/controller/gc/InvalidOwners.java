package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.storage.StorageKey;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

/**
 * Reports an owner that is in another namespace than its dependent by an Event {@code
 * OwnerRefInvalidNamespace}, as Kubernetes' garbage collector does; one for each dependent and
 * owner.
 */
record InvalidOwners(PipelineClient objects, InstantSource clock) {
  private static final String COMPONENT = "garbage-collector-controller";

  void report(StorageKey key, KubeObject dependent, OwnerReference owner) {
    // As Kubernetes' recorder does for what has no namespace.
    String namespace = key.namespace().isEmpty() ? "default" : key.namespace();
    objects.ensure(
        ResourceType.core("events"),
        WriteContext.internal(key.cluster(), namespace, COMPONENT),
        event(key, dependent, owner));
  }

  private KubeObject event(StorageKey key, KubeObject dependent, OwnerReference owner) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    return KubeObject.of(
        Map.ofEntries(
            Map.entry("metadata", Map.of("name", name(dependent, owner))),
            Map.entry("involvedObject", subject(key, dependent)),
            Map.entry("type", "Warning"),
            Map.entry("reason", "OwnerRefInvalidNamespace"),
            Map.entry("message", message(key, owner)),
            Map.entry("source", Map.of("component", COMPONENT)),
            Map.entry("reportingComponent", COMPONENT),
            Map.entry("reportingInstance", ""),
            Map.entry("count", 1L),
            Map.entry("firstTimestamp", now),
            Map.entry("lastTimestamp", now)));
  }

  private static Map<String, Object> subject(StorageKey key, KubeObject dependent) {
    return Trees.orderedNonEmpty(
        "apiVersion", dependent.apiVersion(),
        "kind", dependent.kind(),
        "name", dependent.name(),
        "uid", dependent.uid(),
        "namespace", key.namespace());
  }

  /** The same for the same two, so that there is one Event however often it is reported. */
  private static String name(KubeObject dependent, OwnerReference owner) {
    byte[] both = (dependent.uid() + owner.uid()).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(both).toString();
  }

  private static String message(StorageKey key, OwnerReference owner) {
    return "ownerRef [%s/%s, cluster: %s, namespace: %s, name: %s, uid: %s] does not exist in namespace \"%s\""
        .formatted(
            owner.apiVersion(),
            owner.kind(),
            key.cluster().name(),
            key.namespace(),
            owner.name(),
            owner.uid(),
            key.namespace());
  }
}
