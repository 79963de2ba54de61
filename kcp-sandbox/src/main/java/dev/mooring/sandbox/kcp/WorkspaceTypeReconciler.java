package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.decide.Condition;
import dev.mooring.sandbox.kcp.decide.Conditions;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells in a WorkspaceType's status where its initializers and terminators work. */
final class WorkspaceTypeReconciler {
  private static final String URLS_READY = "VirtualWorkspaceURLsReady";

  private final SystemObjects objects;
  private final ServerUrls urls;

  WorkspaceTypeReconciler(SystemObjects objects, ServerUrls urls) {
    this.objects = objects;
    this.urls = urls;
  }

  void reconcile(ObjectKey key) {
    Optional<StoredObject> read =
        objects.get(KcpBuckets.WORKSPACE_TYPES, key.cluster(), key.name());
    if (read.isEmpty()) {
      return;
    }
    KubeObject type = read.get().object();
    String now = objects.now();
    KubeObject after = Conditions.with(type, Condition.met(Conditions.READY, now));
    after = Conditions.with(after, Condition.met(URLS_READY, now));
    after =
        after.with(
            List.of(entry("initializing", key), entry("terminating", key)),
            "status",
            "virtualWorkspaces");
    if (!after.equals(type)) {
      objects.update(read.get(), after);
    }
  }

  private Map<String, String> entry(String kind, ObjectKey key) {
    return Map.of("type", kind, "url", urls.workspaces(kind, key.cluster(), key.name()));
  }
}
