package dev.mooring.sandbox.controller.role;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.fields.ServerSideApply;
import dev.mooring.sandbox.selector.LabelSelector;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes into each ClusterRole with an {@code aggregationRule} the rules of those that it selects,
 * as Kubernetes' {@code pkg/controller/clusterroleaggregation}.
 */
public record RoleAggregation(ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline)
    implements Reconciler<ObjectKey> {
  private static final ResourceType TYPE =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceKey ROLES = ResourceKey.of(TYPE.group(), TYPE.resource());
  private static final String MANAGER = "clusterrole-aggregation-controller";

  public static Controller<ObjectKey> start(
      ResourceStore store, ResourceCatalog catalog, WritePipeline pipeline) {
    return Controller.start(
        "clusterrole-aggregation",
        store,
        List.of(new EventSource<>(ROLES, role -> aggregates(store, role.key().cluster()))),
        new RoleAggregation(store, catalog, pipeline));
  }

  /** Which role selects which is not known, so any change concerns all of them. */
  private static Collection<ObjectKey> aggregates(ResourceStore store, LogicalCluster cluster) {
    return roles(store, cluster).stream()
        .filter(role -> isAggregate(role.object()))
        .map(role -> role.key().objectKey())
        .toList();
  }

  private static List<StoredObject> roles(ResourceStore store, LogicalCluster cluster) {
    return store.list(ListScope.of(ROLES, cluster)).items();
  }

  private static boolean isAggregate(KubeObject role) {
    return role.at("aggregationRule") != null;
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<KubeObject> role =
        store
            .get(new StorageKey(ROLES, key.cluster(), "", key.name()))
            .map(StoredObject::object)
            .filter(RoleAggregation::isAggregate);
    if (role.isPresent()) {
      List<Object> rules = rules(role.get(), key.cluster());
      if (!rules.equals(role.get().list("rules"))) {
        write(key, rules);
      }
    }
    return new Next.OnEvent();
  }

  /** Each once, in the order of the selectors, then of the roles' names. */
  private List<Object> rules(KubeObject aggregate, LogicalCluster cluster) {
    List<KubeObject> others =
        roles(store, cluster).stream()
            .map(StoredObject::object)
            .filter(role -> !role.name().equals(aggregate.name()))
            .sorted(Comparator.comparing(KubeObject::name))
            .toList();
    var rules = new LinkedHashSet<Object>();
    for (Object selector : aggregate.list("aggregationRule", "clusterRoleSelectors")) {
      LabelSelector labels = LabelSelector.of(selector);
      others.stream()
          .filter(role -> labels.matches(role.labels()))
          .forEach(role -> rules.addAll(role.list("rules")));
    }
    return List.copyOf(rules);
  }

  private void write(ObjectKey key, List<Object> rules) {
    ResourceDefinition roles = catalog.find(key.cluster(), TYPE).orElseThrow();
    KubeObject wanted =
        KubeObject.of(
            Map.of(
                "apiVersion",
                TYPE.group() + "/v1",
                "kind",
                "ClusterRole",
                "metadata",
                Map.of("name", key.name())));
    pipeline.change(
        WriteTarget.of(roles),
        WriteContext.internal(key.cluster(), "", MANAGER),
        key.name(),
        new Change.Apply(
            rules.isEmpty() ? wanted : wanted.with(rules, "rules"),
            ServerSideApply.Force.YES,
            Change.Ownership.AS_APPLIED));
  }
}
