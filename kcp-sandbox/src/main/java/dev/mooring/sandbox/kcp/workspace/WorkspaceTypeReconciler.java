package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Writes the URLs of a type's initializers and terminators to its status. */
public record WorkspaceTypeReconciler(SystemObjects objects, ServerUrls urls)
    implements Reconciler<ObjectKey> {
  private static final String URLS_READY = "VirtualWorkspaceURLsReady";

  private static final Next SETTLED = new Next.OnEvent();

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read =
        objects.get(KcpResources.WORKSPACE_TYPES, key.cluster(), key.name());
    if (read.isEmpty()) {
      return SETTLED;
    }
    KubeObject type = read.get().object();
    String now = objects.now();
    KubeObject after = Conditions.met(type, Conditions.READY, now);
    after = Conditions.met(after, URLS_READY, now);
    after =
        after.with(
            urls.shards().names().stream()
                .sorted()
                .flatMap(shard ->
                    Arrays.stream(Lifecycle.values())
                        .map(lifecycle -> entry(shard, lifecycle, key)))
                .toList(),
            "status",
            "virtualWorkspaces");
    if (!after.equals(type)) {
      objects.update(read.get(), after);
    }
    return SETTLED;
  }

  private Map<String, String> entry(String shard, Lifecycle lifecycle, ObjectKey key) {
    return Map.of(
        "type",
        lifecycle.text(),
        "url",
        urls.workspaces(shard, lifecycle, key.cluster(), key.name()));
  }
}
