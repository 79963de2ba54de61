package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;

/**
 * A primary on both sides.
 *
 * @param onService empty before the copy is created and after it is deleted
 * @param path of the workspace; empty unless workspace paths are enabled
 */
public record Primary(
    ObjectKey key, KubeObject inKcp, Optional<KubeObject> onService, Optional<String> path) {
  /** A primary of which only the name is known. */
  public static Primary deleted(ObjectKey key) {
    KubeObject inKcp =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of(
                    "namespace", key.namespace(),
                    "name", key.name(),
                    "deletionTimestamp", "unknown")));
    return new Primary(key, inKcp, Optional.empty(), Optional.empty());
  }
}
