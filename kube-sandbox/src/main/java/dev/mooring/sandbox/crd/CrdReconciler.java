package dev.mooring.sandbox.crd;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.crd.definition.CrdNaming;
import dev.mooring.sandbox.crd.definition.CrdStrategy;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/**
 * Moves one CustomResourceDefinition on: to its names, or to its end, for which its objects have to
 * go first. Every step starts from what is stored.
 *
 * @param elsewhere resources whose names are taken though no CustomResourceDefinition has them
 */
record CrdReconciler(
    ResourceStore store, CrdCatalog catalog, ResourceCatalog elsewhere, LoopbackClient objects)
    implements Reconciler<ObjectKey> {
  private static final Next SETTLED = new Next.OnEvent();

  /** No event says when the binding or definition with the names is deleted. */
  private static final Next CONFLICTING = new Next.After(Duration.ofMillis(500));

  /** Objects may be held by finalizers; their going is not watched. */
  private static final Next DRAINING = new Next.After(Duration.ofMillis(100));

  /** Throws {@link StoreConflict} if something changed meanwhile. */
  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> stored =
        store.get(new StorageKey(CrdCatalog.DEFINITIONS, key.cluster(), "", key.name()));
    if (stored.isEmpty()) {
      catalog.forget(key);
      return SETTLED;
    }
    return stored.get().object().deleting() ? end(stored.get()) : name(stored.get());
  }

  private Next name(StoredObject stored) {
    KubeObject definition = stored.object();
    var taken = new ArrayList<Map<String, Object>>();
    for (StoredObject other : store.list(scope(stored)).items()) {
      if (!other.key().equals(stored.key()) && sameGroup(other.object(), definition)) {
        taken.add(other.object().map("status", "acceptedNames"));
      }
    }
    elsewhere.all(stored.key().cluster()).stream()
        .filter(other -> other.type().group().equals(definition.text("spec", "group")))
        .map(other -> tree(other.names()))
        .forEach(taken::add);
    KubeObject decided = CrdNaming.decide(definition, CrdNaming.Taken.by(taken), objects.now());
    if (!decided.equals(definition)) {
      objects.update(stored, decided);
    }
    return decided.hasCondition("NamesAccepted") ? SETTLED : CONFLICTING;
  }

  private Next end(StoredObject stored) {
    KubeObject definition = stored.object();
    if (!definition.hasFinalizer(CrdStrategy.CLEANUP_FINALIZER)) {
      return SETTLED;
    }
    StoredObject noted =
        objects.update(
            stored,
            terminating(
                definition,
                "True",
                "InstanceDeletionInProgress",
                "CustomResource deletion is in progress"));
    LogicalCluster cluster = stored.key().cluster();
    ListScope instances = ListScope.of(CustomResources.resourceKey(definition), cluster);
    // As in Kubernetes, without admission: only finalizers keep them.
    store.list(instances).items().forEach(objects::delete);
    if (!store.list(instances).items().isEmpty()) {
      return DRAINING;
    }
    release(noted, instances);
    return SETTLED;
  }

  private void release(StoredObject noted, ListScope instances) {
    KubeObject done =
        terminating(noted.object(), "False", "InstanceDeletionCompleted", "removed all instances");
    objects.update(noted, done.withoutFinalizer(CrdStrategy.CLEANUP_FINALIZER));
    catalog.forget(noted.key().objectKey());
    store.closeWatches(instances);
  }

  private KubeObject terminating(
      KubeObject definition, String status, String reason, String message) {
    return Conditions.set(
        definition,
        new Conditions.Condition("Terminating", status, reason, message),
        objects.now());
  }

  private static boolean sameGroup(KubeObject left, KubeObject right) {
    return left.text("spec", "group").equals(right.text("spec", "group"));
  }

  private static Map<String, Object> tree(ResourceNames names) {
    return Trees.ordered(
        "plural", names.plural(),
        "singular", names.singular(),
        "kind", names.kind(),
        "listKind", names.listKind(),
        "shortNames", names.shortNames());
  }

  private static ListScope scope(StoredObject stored) {
    return ListScope.of(CrdCatalog.DEFINITIONS, stored.key().cluster());
  }
}
