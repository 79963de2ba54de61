package dev.mooring.sandbox.crd;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources that the CustomResourceDefinitions of a logical cluster define, straight from the
 * store: a definition counts from the very write on that accepts its names. What it defines is
 * computed once for each change of its spec. Thread-safe.
 */
public final class CrdCatalog implements ResourceCatalog {
  /** Where CustomResourceDefinitions are stored. */
  public static final ResourceKey DEFINITIONS =
      ResourceKey.of("apiextensions.k8s.io", "customresourcedefinitions");

  private final ResourceStore store;
  private final CustomResources resources;
  private final Map<ObjectKey, Made> made = new ConcurrentHashMap<>();

  public CrdCatalog(ResourceStore store, CustomResources resources) {
    this.store = store;
    this.resources = resources;
  }

  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    if (type.group().isEmpty()) {
      return Optional.empty();
    }
    var key = new StorageKey(DEFINITIONS, cluster, "", type.resource() + "." + type.group());
    Optional<StoredObject> stored = store.get(key);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    return served(stored.get()).stream()
        .filter(definition -> definition.type().equals(type))
        .findFirst();
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    return store.list(ListScope.of(DEFINITIONS, cluster)).items().stream()
        .filter(stored -> stored.object().hasCondition("Established"))
        .flatMap(stored -> served(stored).stream())
        .toList();
  }

  @Override
  public List<ResourceDefinition> versions(LogicalCluster cluster, String qualified) {
    return store
        .get(new StorageKey(DEFINITIONS, cluster, "", qualified))
        .filter(stored -> stored.object().hasCondition("Established"))
        .map(this::served)
        .orElse(List.of());
  }

  /** What a stored definition serves; empty while its names are not accepted. */
  List<ResourceDefinition> served(StoredObject stored) {
    KubeObject definition = stored.object();
    boolean established = definition.hasCondition("Established");
    if (!established && !definition.hasCondition("NamesAccepted")) {
      return List.of();
    }
    var basis = new Basis(definition.uid(), definition.generation(), definition.deleting());
    return made.compute(
            stored.key().objectKey(),
            (key, before) ->
                before != null && before.basis().equals(basis)
                    ? before
                    : new Made(basis, resources.define(definition)))
        .definitions();
  }

  /** Removes what a deleted definition defined. */
  void forget(ObjectKey definition) {
    made.remove(definition);
  }

  /** What a definition's resources depend on. */
  private record Basis(String uid, long generation, boolean terminating) {}

  private record Made(Basis basis, List<ResourceDefinition> definitions) {}
}
