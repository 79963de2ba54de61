package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.DeleteOptions.Propagation;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What is to be done about one object.
 *
 * <ol>
 *   <li>It is going and holds {@code orphan}: its dependents lose their reference to it, then it
 *       loses the finalizer.
 *   <li>It is going and holds {@code foregroundDeletion}: its dependents that have no other owner
 *       are deleted, the others lose their reference to it; once none is left that blocks it, it
 *       loses the finalizer.
 *   <li>It has owners, none of which is there: it is deleted, with the policy that its finalizers
 *       stand for. An owner whose kind is not served counts as there, unless its deletion was seen:
 *       not to know is not to know that it is gone.
 * </ol>
 */
record GarbageProcessor(PipelineClient objects, OwnershipGraph graph, InvalidOwners invalidOwners)
    implements Reconciler<StorageKey> {
  private static final String FOREGROUND = "foregroundDeletion";
  private static final String ORPHAN = "orphan";
  private static final String MANAGER = "garbage-collector";

  /** Whose owners show where an owner is; an Event is not worth asking more. */
  private static final int DEPENDENTS_ASKED_MAX = 100;

  private static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");
  private static final Duration UNKNOWN_OWNER_RECHECK = Duration.ofSeconds(5);

  /** How an owner is. */
  private enum OwnerState {
    THERE,
    WAITING_FOR_DEPENDENTS,
    GONE,
    UNKNOWN
  }

  @Override
  public Next reconcile(StorageKey key) {
    Optional<StoredObject> found = objects.store().get(key);
    Optional<ResourceDefinition> definition = definition(key);
    if (found.isEmpty() || definition.isEmpty()) {
      return new Next.OnEvent();
    }
    KubeObject object = found.get().object();
    if (object.deleting() && object.hasFinalizer(ORPHAN)) {
      return orphaned(key, definition.get(), object);
    }
    if (object.deleting() && object.hasFinalizer(FOREGROUND)) {
      return foreground(key, definition.get(), object);
    }
    return object.deleting() ? new Next.OnEvent() : owned(key, definition.get(), object);
  }

  private Next orphaned(StorageKey key, ResourceDefinition definition, KubeObject object) {
    for (StorageKey dependent : graph.dependentsOf(key.cluster(), object.uid())) {
      definition(dependent)
          .ifPresent(kind -> change(dependent, kind, it -> released(it, Set.of(object.uid()))));
    }
    change(key, definition, it -> it.withoutFinalizer(ORPHAN));
    return new Next.OnEvent();
  }

  private Next foreground(StorageKey key, ResourceDefinition definition, KubeObject object) {
    boolean blocked = false;
    for (StorageKey dependent : graph.dependentsOf(key.cluster(), object.uid())) {
      Optional<StoredObject> stored = objects.store().get(dependent);
      if (stored.isEmpty()) {
        continue;
      }
      if (!stored.get().object().deleting()) {
        definition(dependent).ifPresent(kind -> owned(dependent, kind, stored.get().object()));
      }
      blocked |=
          objects
              .store()
              .get(dependent)
              .filter(left -> blocks(left.object(), object.uid()))
              .isPresent();
    }
    if (!blocked) {
      change(key, definition, it -> it.withoutFinalizer(FOREGROUND));
    }
    return new Next.OnEvent();
  }

  private static boolean blocks(KubeObject dependent, String ownerUid) {
    return OwnerReference.of(dependent).stream()
        .anyMatch(owner -> owner.uid().equals(ownerUid) && owner.blocksOwner());
  }

  private Next owned(StorageKey key, ResourceDefinition definition, KubeObject object) {
    var unneeded = new ArrayList<String>();
    boolean there = false;
    boolean waiting = false;
    boolean unknown = false;
    List<OwnerReference> owners = OwnerReference.of(object);
    for (OwnerReference owner : owners) {
      switch (state(key, owner)) {
        case THERE -> there = true;
        case WAITING_FOR_DEPENDENTS -> {
          waiting = true;
          unneeded.add(owner.uid());
        }
        case GONE -> {
          unneeded.add(owner.uid());
          reportIfElsewhere(key, object, owner);
        }
        case UNKNOWN -> {
          unknown = true;
          reportIfElsewhere(key, object, owner);
        }
      }
    }
    if (owners.isEmpty() || unknown && !there) {
      return unknown ? new Next.After(UNKNOWN_OWNER_RECHECK) : new Next.OnEvent();
    }
    if (there) {
      if (!unneeded.isEmpty()) {
        change(key, definition, it -> released(it, Set.copyOf(unneeded)));
      }
    } else {
      boolean hasDependents = !graph.dependentsOf(key.cluster(), object.uid()).isEmpty();
      collect(
          key,
          definition,
          object,
          waiting && hasDependents ? Propagation.FOREGROUND : policy(object));
    }
    return new Next.OnEvent();
  }

  /** That which the object's finalizers stand for. */
  private static Propagation policy(KubeObject object) {
    if (object.hasFinalizer(ORPHAN)) {
      return Propagation.ORPHAN;
    }
    return object.hasFinalizer(FOREGROUND) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
  }

  private OwnerState state(StorageKey dependent, OwnerReference reference) {
    if (graph.isGone(dependent.cluster(), reference)) {
      return OwnerState.GONE;
    }
    Optional<ResourceDefinition> kind = kind(dependent.cluster(), reference);
    if (kind.isEmpty()) {
      return OwnerState.UNKNOWN;
    }
    if (kind.get().namespaced() && dependent.namespace().isEmpty()) {
      // An owner in a namespace cannot own what is in none; Kubernetes reports and leaves it.
      return OwnerState.UNKNOWN;
    }
    String namespace = kind.get().namespaced() ? dependent.namespace() : "";
    Optional<KubeObject> owner = owner(dependent.cluster(), reference, kind.get(), namespace);
    if (owner.isEmpty()) {
      return OwnerState.GONE;
    }
    return owner.get().deleting() && owner.get().hasFinalizer(FOREGROUND)
        ? OwnerState.WAITING_FOR_DEPENDENTS
        : OwnerState.THERE;
  }

  private Optional<ResourceDefinition> kind(LogicalCluster cluster, OwnerReference reference) {
    String version = reference.apiVersion();
    int slash = version.indexOf('/');
    return objects
        .catalog()
        .ofKind(
            cluster,
            version.substring(0, Math.max(0, slash)),
            version.substring(slash + 1),
            reference.kind())
        .filter(definition -> definition.computed().isEmpty());
  }

  private Optional<KubeObject> owner(
      LogicalCluster cluster, OwnerReference reference, ResourceDefinition kind, String namespace) {
    return objects
        .store()
        .get(new StorageKey(kind.resourceKey(), cluster, namespace, reference.name()))
        .map(StoredObject::object)
        .filter(found -> found.uid().equals(reference.uid()));
  }

  private void reportIfElsewhere(StorageKey key, KubeObject dependent, OwnerReference reference) {
    if (!graph.isGone(key.cluster(), reference)
        && (isElsewhere(key.cluster(), reference) || isOwnerElsewhere(key, reference))) {
      invalidOwners.report(key, dependent, reference);
    }
  }

  /** Whether the owner is in any namespace. */
  private boolean isElsewhere(LogicalCluster cluster, OwnerReference reference) {
    return kind(cluster, reference)
        .filter(ResourceDefinition::namespaced)
        .filter(kind ->
            objects.store().list(ListScope.of(NAMESPACES, cluster)).items().stream()
                .anyMatch(namespace ->
                    owner(cluster, reference, kind, namespace.key().name()).isPresent()))
        .isPresent();
  }

  /** Whether a dependent in another namespace has an owner of this UID, perhaps of another kind. */
  private boolean isOwnerElsewhere(StorageKey dependent, OwnerReference reference) {
    return graph.dependentsOf(dependent.cluster(), reference.uid()).stream()
        .filter(other -> !other.namespace().equals(dependent.namespace()))
        .limit(DEPENDENTS_ASKED_MAX)
        .flatMap(other -> objects.store().get(other).stream())
        .anyMatch(other ->
            OwnerReference.of(other.object()).stream()
                .filter(owner -> owner.uid().equals(reference.uid()))
                .anyMatch(owner -> state(other.key(), owner) == OwnerState.THERE));
  }

  /** Any version will do: objects are read and written in the stored one. */
  private Optional<ResourceDefinition> definition(StorageKey key) {
    return objects.catalog().versions(key.cluster(), key.resourceKey().qualified()).stream()
        .filter(definition -> definition.resourceKey().equals(key.resourceKey()))
        .findFirst();
  }

  private void collect(
      StorageKey key, ResourceDefinition definition, KubeObject object, Propagation propagation) {
    unlessSettled(() ->
        objects
            .pipeline()
            .delete(
                definition,
                WriteContext.internal(key.cluster(), key.namespace(), MANAGER),
                key.name(),
                new DeleteOptions(object.uid(), "", Optional.of(propagation), Optional.empty())));
  }

  private void change(
      StorageKey key, ResourceDefinition definition, UnaryOperator<KubeObject> change) {
    unlessSettled(() ->
        objects.change(
            WriteTarget.of(definition),
            WriteContext.internal(key.cluster(), key.namespace(), MANAGER),
            key.name(),
            new Change.Patch(change)));
  }

  /** The object may be gone, or another one of its name may have come. */
  private static void unlessSettled(Runnable write) {
    try {
      write.run();
    } catch (ApiFailure failure) {
      if (failure.code() != 404 && !failure.reason().equals("Conflict")) {
        throw failure;
      }
    }
  }

  private static KubeObject released(KubeObject object, Set<String> ownerUids) {
    List<Object> left =
        object.list("metadata", "ownerReferences").stream()
            .filter(tree -> !ownerUids.contains(String.valueOf(Trees.at(tree, "uid"))))
            .toList();
    return left.isEmpty()
        ? object.without("metadata", "ownerReferences")
        : object.with(left, "metadata", "ownerReferences");
  }
}
