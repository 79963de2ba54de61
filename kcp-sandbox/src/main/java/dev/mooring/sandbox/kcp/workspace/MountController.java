package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.StoreFollower;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.workspace.decide.MountPlanner;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * kcp's feature WorkspaceMounts: mounted Workspaces follow the objects that they refer to, of any
 * type that their logical cluster serves.
 */
public final class MountController implements Reconciler<ObjectKey>, AutoCloseable {
  private final SystemObjects objects;
  private final ResourceCatalog catalog;
  private final Controller<ObjectKey> controller;
  private final StoreFollower follower;

  /** Mounted workspaces. Touched by the follower's thread alone. */
  private final Map<Target, Set<ObjectKey>> workspaces = new HashMap<>();

  /** What a mount refers to, its type aside. */
  private record Target(LogicalCluster cluster, String namespace, String name) {}

  private MountController(SystemObjects objects, ResourceCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
    this.controller = Controller.start("mounts", this);
    this.follower = StoreFollower.start("mounts", objects.store(), this::saw);
  }

  public static MountController start(SystemObjects objects, ResourceCatalog catalog) {
    return new MountController(objects, catalog);
  }

  private void saw(StoreEvent event) {
    StorageKey key = event.object().key();
    if (key.resourceKey().equals(KcpResources.WORKSPACES)) {
      sawWorkspace(key.objectKey(), event);
    }
    workspaces
        .getOrDefault(new Target(key.cluster(), key.namespace(), key.name()), Set.of())
        .forEach(controller::enqueue);
  }

  private void sawWorkspace(ObjectKey key, StoreEvent event) {
    KubeObject workspace = event.object().object();
    if (workspace.at("spec", "mount") == null) {
      return;
    }
    var target =
        new Target(key.cluster(), reference(workspace, "namespace"), reference(workspace, "name"));
    Set<ObjectKey> of = workspaces.computeIfAbsent(target, _ -> new HashSet<>());
    if (event instanceof StoreEvent.Deleted) {
      of.remove(key);
      workspaces.remove(target, Set.of());
    } else {
      of.add(key);
      controller.enqueue(key);
    }
  }

  private static String reference(KubeObject workspace, String field) {
    return workspace.text("spec", "mount", "ref", field);
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpResources.WORKSPACES, key.cluster(), key.name());
    if (read.isPresent() && !read.get().object().deleting()) {
      KubeObject workspace = read.get().object();
      // As long as its type is not served it is not known whether the object exists.
      definition(key.cluster(), workspace)
          .ifPresent(definition -> {
            KubeObject after =
                MountPlanner.followed(
                    workspace, mount(key.cluster(), workspace, definition), objects.now());
            if (!after.equals(workspace)) {
              objects.update(read.get(), after);
            }
          });
    }
    return new Next.OnEvent();
  }

  private Optional<ResourceDefinition> definition(LogicalCluster cluster, KubeObject workspace) {
    String version = reference(workspace, "apiVersion");
    int slash = version.indexOf('/');
    return catalog.ofKind(
        cluster,
        version.substring(0, Math.max(0, slash)),
        version.substring(slash + 1),
        reference(workspace, "kind"));
  }

  private Optional<KubeObject> mount(
      LogicalCluster cluster, KubeObject workspace, ResourceDefinition definition) {
    return objects
        .get(
            definition.resourceKey(),
            cluster,
            reference(workspace, "namespace"),
            reference(workspace, "name"))
        .map(StoredObject::object);
  }

  @Override
  public void close() {
    follower.close();
    controller.close();
  }
}
