package dev.mooring.sandbox.controller.namespace;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Puts into every namespace what clients expect to find there: the service account {@code default}
 * and the server's certificate authority, and puts them back when they are deleted.
 *
 * @param authorityPem of the server's certificate
 */
public record DefaultNamespaceObjects(PipelineClient objects, String authorityPem)
    implements Reconciler<ObjectKey> {
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

  public static Controller<ObjectKey> start(PipelineClient objects, String authorityPem) {
    return Controller.start(
        "namespace-content",
        objects.store(),
        List.of(
            EventSource.itself(NAMESPACES),
            new EventSource<>(SERVICE_ACCOUNTS, object -> namespaceOf(object, ACCOUNT)),
            new EventSource<>(CONFIG_MAPS, object -> namespaceOf(object, AUTHORITY))),
        new DefaultNamespaceObjects(objects, authorityPem));
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
        objects.store().get(new StorageKey(NAMESPACES, key.cluster(), "", key.name()));
    if (namespace.isPresent() && !namespace.get().object().deleting()) {
      WriteContext context = WriteContext.internal(key.cluster(), key.name(), MANAGER);
      objects.ensure(
          ResourceType.core("serviceaccounts"),
          context,
          KubeObject.of(Map.of("metadata", Map.of("name", ACCOUNT))));
      objects.ensure(ResourceType.core("configmaps"), context, authority());
      restoreAuthority(context);
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
  private void restoreAuthority(WriteContext context) {
    Object data = authority().at("data");
    var key = new StorageKey(CONFIG_MAPS, context.cluster(), context.namespace(), AUTHORITY);
    boolean changed =
        objects
            .store()
            .get(key)
            .filter(found -> !Objects.equals(found.object().at("data"), data))
            .isPresent();
    if (changed) {
      objects.change(
          ResourceType.core("configmaps"), context, AUTHORITY, found -> found.with(data, "data"));
    }
  }
}
