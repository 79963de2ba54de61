package dev.mooring.depcontroller.signature;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.signature.ReviewKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Secret {@value ReviewKeys#SECRET}. Every write is conditional on what was read. */
final class ReviewKeyStore {
  /** Any value asks for a new key. */
  static final String ROTATE = "dependencies.opendefense.cloud/rotate";

  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final KubeClient workspace;
  private final String namespace;

  ReviewKeyStore(KubeClient workspace, String namespace) {
    this.workspace = workspace;
    this.namespace = namespace;
  }

  Optional<KubeObject> read() {
    return workspace.find(SECRETS, namespace, ReviewKeys.SECRET);
  }

  void create(ReviewKeys keys) {
    workspace.create(
        SECRETS,
        KubeObject.of(
            Map.of(
                "apiVersion",
                SECRETS.apiVersion(),
                "kind",
                "Secret",
                "metadata",
                Map.of("name", ReviewKeys.SECRET, "namespace", namespace),
                "type",
                "Opaque",
                "data",
                keys.data())));
  }

  /** Keeps the annotation that requests a rotation, unless this write is the rotation. */
  void update(KubeObject secret, ReviewKeys keys, boolean rotated) {
    KubeObject changed = secret.with(keys.data(), "data");
    if (rotated) {
      var annotations = new LinkedHashMap<String, Object>(secret.map("metadata", "annotations"));
      annotations.remove(ROTATE);
      changed = changed.with(annotations, "metadata", "annotations");
    }
    workspace.update(SECRETS, changed);
  }
}
