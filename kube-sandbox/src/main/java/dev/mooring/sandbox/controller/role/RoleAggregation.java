package dev.mooring.sandbox.controller.role;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.fields.ServerSideApply;
import dev.mooring.sandbox.selector.LabelSelector;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Writes into each ClusterRole with an {@code aggregationRule} the rules of those that it selects,
 * as Kubernetes' {@code pkg/controller/clusterroleaggregation}.
 */
public record RoleAggregation(PipelineClient objects) implements Reconciler<LogicalCluster> {
  private static final ResourceType TYPE =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceKey ROLES = ResourceKey.of(TYPE.group(), TYPE.resource());
  private static final String MANAGER = "clusterrole-aggregation-controller";

  /** Which role selects which is not known, so any change concerns all roles of its cluster. */
  public static Controller<LogicalCluster> start(PipelineClient objects) {
    return Controller.start(
        "clusterrole-aggregation",
        objects.store(),
        List.of(new EventSource<>(ROLES, role -> List.of(role.key().cluster()))),
        new RoleAggregation(objects));
  }

  /** A role that cannot be written keeps no other from it. */
  @Override
  public Next reconcile(LogicalCluster cluster) {
    List<KubeObject> roles =
        objects.store().list(ListScope.of(ROLES, cluster)).items().stream()
            .map(StoredObject::object)
            .sorted(Comparator.comparing(KubeObject::name))
            .toList();
    Optional<RuntimeException> failure = Optional.empty();
    for (KubeObject role : roles) {
      if (role.at("aggregationRule") != null) {
        List<Object> rules = rules(role, roles);
        try {
          if (!rules.equals(role.list("rules"))) {
            write(cluster, role.name(), rules);
          }
        } catch (RuntimeException e) {
          failure = Optional.of(e);
        }
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return new Next.OnEvent();
  }

  /** Each once, in the order of the selectors, then of the roles' names. */
  private static List<Object> rules(KubeObject aggregate, List<KubeObject> roles) {
    var rules = new LinkedHashSet<Object>();
    for (Object selector : aggregate.list("aggregationRule", "clusterRoleSelectors")) {
      LabelSelector labels = LabelSelector.of(selector);
      roles.stream()
          .filter(role -> !role.name().equals(aggregate.name()) && labels.matches(role.labels()))
          .forEach(role -> rules.addAll(role.list("rules")));
    }
    return List.copyOf(rules);
  }

  private void write(LogicalCluster cluster, String name, List<Object> rules) {
    KubeObject wanted = KubeObject.of(TYPE, "ClusterRole", "", name);
    objects.change(
        WriteTarget.of(objects.definition(TYPE, cluster)),
        WriteContext.internal(cluster, "", MANAGER),
        name,
        new Change.Apply(
            rules.isEmpty() ? wanted : wanted.with(rules, "rules"),
            ServerSideApply.Force.YES,
            Change.Ownership.AS_APPLIED));
  }
}
