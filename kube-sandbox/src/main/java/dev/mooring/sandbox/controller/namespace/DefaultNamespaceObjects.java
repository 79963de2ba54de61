package dev.mooring.sandbox.controller.namespace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Puts into every namespace what clients expect to find there: the service account {@code default}
 * and the server's certificate authority, and puts them back when they are deleted.
 */
public final class DefaultNamespaceObjects implements Reconciler<ObjectKey> {
  private static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final ResourceKey CONFIG_MAPS = ResourceKey.of("", "configmaps");
  private static final String ACCOUNT = "default";
  private static final String AUTHORITY = "kube-root-ca.crt";
  private static final String DESCRIPTION = "kubernetes.io/description";
  private static final String PURPOSE =
      "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
          + " endpoints such as the internal service IP or kubernetes.default.svc. No other usage"
          + " is guaranteed across distributions of Kubernetes clusters.";
  private static final String MANAGER = "kcp";

  private final ResourceStore store;
  private final ResourceCatalog catalog;
  private final WritePipeline pipeline;
  private final String authorityPem;

  private DefaultNamespaceObjects(
      ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline, String authorityPem) {
    this.store = store;
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.authorityPem = authorityPem;
  }

  /**
   * @param authorityPem of the server's certificate
   */
  public static Controller<ObjectKey> start(
      ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline, String authorityPem) {
    return Controller.start(
        "namespace-content",
        store,
        List.of(
            EventSource.itself(NAMESPACES),
            new EventSource<>(SERVICE_ACCOUNTS, object -> namespaceOf(object, ACCOUNT)),
            new EventSource<>(CONFIG_MAPS, object -> namespaceOf(object, AUTHORITY))),
        new DefaultNamespaceObjects(store, catalog, pipeline, authorityPem));
  }

  private static Collection<ObjectKey> namespaceOf(StoredObject object, String name) {
    StorageKey key = object.key();
    return key.name().equals(name)
        ? List.of(new ObjectKey(key.cluster(), "", key.namespace()))
        : List.of();
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> namespace =
        store.get(new StorageKey(NAMESPACES, key.cluster(), "", key.name()));
    if (namespace.isPresent() && !namespace.get().object().deleting()) {
      ensure(key, SERVICE_ACCOUNTS, KubeObject.of(Map.of("metadata", Map.of("name", ACCOUNT))));
      ensure(key, CONFIG_MAPS, authority());
      restoreAuthority(key);
    }
    return new Next.OnEvent();
  }

  private KubeObject authority() {
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", AUTHORITY, "annotations", Map.of(DESCRIPTION, PURPOSE)),
            "data", Map.of("ca.crt", authorityPem)));
  }

  /** What is in it is the server's alone. */
  private void restoreAuthority(ObjectKey namespace) {
    Object data = authority().at("data");
    boolean changed =
        store
            .get(new StorageKey(CONFIG_MAPS, namespace.cluster(), namespace.name(), AUTHORITY))
            .filter(found -> !Objects.equals(found.object().at("data"), data))
            .isPresent();
    if (changed) {
      var definition =
          catalog.find(namespace.cluster(), ResourceType.core("configmaps")).orElseThrow();
      pipeline.change(
          WriteTarget.of(definition),
          WriteContext.internal(namespace.cluster(), namespace.name(), MANAGER),
          AUTHORITY,
          new Change.Patch(found -> found.with(data, "data")));
    }
  }

  private void ensure(ObjectKey namespace, ResourceKey resourceKey, KubeObject wanted) {
    LogicalCluster cluster = namespace.cluster();
    String name = wanted.name();
    if (store.get(new StorageKey(resourceKey, cluster, namespace.name(), name)).isPresent()) {
      return;
    }
    var definition = catalog.find(cluster, ResourceType.core(resourceKey.resource())).orElseThrow();
    KubeObject typed =
        wanted.with(definition.kind(), "kind").with(definition.type().apiVersion(), "apiVersion");
    try {
      pipeline.create(definition, WriteContext.internal(cluster, namespace.name(), MANAGER), typed);
    } catch (ApiFailure failure) {
      boolean settled = failure.reason().equals("AlreadyExists") || failure.code() == 404;
      if (!settled) {
        throw failure;
      }
    }
  }
}
