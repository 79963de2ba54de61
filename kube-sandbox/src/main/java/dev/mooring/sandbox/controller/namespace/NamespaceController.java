package dev.mooring.sandbox.controller.namespace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.api.status.Conditions.Condition;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Empties namespaces that are going, says in their status what keeps them, and lets them go once
 * nothing is left. Modelled on Kubernetes' {@code pkg/controller/namespace/deletion}.
 */
public record NamespaceController(PipelineClient objects, LoopbackClient loopback)
    implements Reconciler<ObjectKey> {
  private static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");
  private static final String MANAGER = "kcp";
  private static final String FINALIZER = "kubernetes";
  // What is left has finalizers of other components; their removal makes no event here.
  private static final Duration RECHECK = Duration.ofMillis(500);

  public static Controller<ObjectKey> start(PipelineClient objects, LoopbackClient loopback) {
    var going =
        new EventSource<>(
            NAMESPACES,
            (StoredObject object) ->
                object.object().deleting()
                    ? List.of(object.key().objectKey())
                    : List.<ObjectKey>of());
    return Controller.start(
        "namespace-lifecycle",
        objects.store(),
        List.of(going),
        new NamespaceController(objects, loopback));
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> found =
        objects.store().get(new StorageKey(NAMESPACES, key.cluster(), "", key.name()));
    if (found.isEmpty()
        || !found.get().object().deleting()
        || !found.get().object().list("spec", "finalizers").contains(FINALIZER)) {
      return new Next.OnEvent();
    }
    Leftovers left = emptied(key.cluster(), key.name());
    KubeObject before = found.get().object();
    KubeObject after = before;
    for (Condition condition : conditions(left)) {
      after = Conditions.set(after, condition, loopback.now());
    }
    if (!after.equals(before)) {
      List<Object> conditions = after.list("status", "conditions");
      write(key, "status", namespace -> namespace.with(conditions, "status", "conditions"));
    }
    if (left.isEmpty()) {
      write(key, "finalize", NamespaceController::released);
      return new Next.OnEvent();
    }
    return new Next.After(RECHECK);
  }

  /** Others' finalizers stay, and with them the namespace. */
  private static KubeObject released(KubeObject namespace) {
    var finalizers = new ArrayList<>(namespace.list("spec", "finalizers"));
    finalizers.removeIf(FINALIZER::equals);
    return finalizers.isEmpty()
        ? namespace.without("spec", "finalizers")
        : namespace.with(finalizers, "spec", "finalizers");
  }

  /**
   * How many objects are left, by resource, how often each finalizer holds one, and what was
   * refused.
   */
  private record Leftovers(
      Map<String, Integer> resources, Map<String, Integer> finalizers, List<String> refusals) {
    boolean isEmpty() {
      return resources.isEmpty();
    }
  }

  private Leftovers emptied(LogicalCluster cluster, String namespace) {
    var left = new Leftovers(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
    var resourceKeys = new LinkedHashMap<ResourceKey, ResourceDefinition>();
    for (ResourceDefinition definition : objects.catalog().all(cluster)) {
      if (definition.namespaced() && definition.verbs().contains(Verb.DELETE)) {
        resourceKeys.putIfAbsent(definition.resourceKey(), definition);
      }
    }
    resourceKeys.forEach((resourceKey, definition) -> {
      var scope = ListScope.of(resourceKey, cluster, namespace);
      WriteContext context = WriteContext.internal(cluster, namespace, MANAGER);
      try {
        for (StoredObject object : objects.store().list(scope).items()) {
          if (!object.object().deleting()) {
            objects.pipeline().deleteOneOfMany(definition, context, object, DeleteOptions.NONE);
          }
        }
      } catch (ApiFailure refused) {
        // A refusal of one type's objects keeps no other type: they may be what it waits for.
        left.refusals().add(refused.getMessage());
      }
      for (StoredObject object : objects.store().list(scope).items()) {
        left.resources().merge(resourceKey.qualified(), 1, Integer::sum);
        object
            .object()
            .finalizers()
            .forEach(finalizer -> left.finalizers().merge(finalizer, 1, Integer::sum));
      }
    });
    return left;
  }

  private void write(ObjectKey key, String part, UnaryOperator<KubeObject> change) {
    var definition = objects.definition(ResourceType.core("namespaces"), key.cluster());
    if (definition.subresources().get(part) instanceof Subresource.Part strategy) {
      objects.change(
          WriteTarget.of(definition, part, strategy),
          WriteContext.internal(key.cluster(), "", MANAGER),
          key.name(),
          new Change.Patch(change));
    }
  }

  private static List<Condition> conditions(Leftovers left) {
    return List.of(
        new Condition(
            "NamespaceDeletionDiscoveryFailure",
            "False",
            "ResourcesDiscovered",
            "All resources successfully discovered"),
        new Condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            "False",
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
        condition(
            "NamespaceDeletionContentFailure",
            left.refusals(),
            "ContentDeletionFailed",
            "Failed to delete all resource types, " + left.refusals().size() + " remaining: ",
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization"),
        condition(
            "NamespaceContentRemaining",
            counted("%s has %d resource instances", left.resources()),
            "SomeResourcesRemain",
            "Some resources are remaining: ",
            "ContentRemoved",
            "All content successfully removed"),
        condition(
            "NamespaceFinalizersRemaining",
            counted("%s in %d resource instances", left.finalizers()),
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: ",
            "ContentHasNoFinalizers",
            "All content-preserving finalizers finished"));
  }

  private static List<String> counted(String text, Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(entry -> text.formatted(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Condition condition(
      String type, List<String> left, String why, String what, String whyNone, String none) {
    return left.isEmpty()
        ? new Condition(type, "False", whyNone, none)
        : new Condition(type, "True", why, what + String.join(", ", left));
  }
}
