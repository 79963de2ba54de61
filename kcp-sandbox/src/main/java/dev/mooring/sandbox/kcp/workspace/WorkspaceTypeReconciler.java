package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the URLs of a type's initializers and terminators, at every shard, to its status. */
public record WorkspaceTypeReconciler(LocalOrReplica shared) implements Reconciler<ObjectKey> {
  private static final String URLS_READY = "VirtualWorkspaceURLsReady";

  private static final Next SETTLED = new Next.OnEvent();

  @Override
  public Next reconcile(ObjectKey key) {
    LoopbackClient objects = shared.own();
    Optional<StoredObject> read =
        objects.get(KcpResources.WORKSPACE_TYPES, key.cluster(), key.name());
    if (read.isEmpty()) {
      return SETTLED;
    }
    KubeObject type = read.get().object();
    String now = objects.now();
    KubeObject after = Conditions.met(type, Conditions.READY, now);
    after = Conditions.met(after, URLS_READY, now);
    after = after.with(entries(key), "status", "virtualWorkspaces");
    if (!after.equals(type)) {
      objects.update(read.get(), after);
    }
    return SETTLED;
  }

  /** By the names of the shards. */
  private List<Map<String, String>> entries(ObjectKey key) {
    return shared.list(KcpResources.SHARDS, KcpResources.ROOT).stream()
        .map(shard -> shard.object().text("spec", "virtualWorkspaceURL"))
        .filter(url -> !url.isEmpty())
        .flatMap(
            url -> Arrays.stream(Lifecycle.values()).map(lifecycle -> entry(url, lifecycle, key)))
        .toList();
  }

  private static Map<String, String> entry(String shard, Lifecycle lifecycle, ObjectKey key) {
    String url =
        shard + "/services/" + lifecycle.service() + "/" + key.cluster() + ":" + key.name();
    return Map.of("type", lifecycle.text(), "url", url);
  }
}
