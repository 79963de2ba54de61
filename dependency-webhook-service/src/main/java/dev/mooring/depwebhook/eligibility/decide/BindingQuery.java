package dev.mooring.depwebhook.eligibility.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import java.util.List;

/** Which of a consumer's bindings says whose its objects are. */
public sealed interface BindingQuery {
  /** Of the objects of a type that is bound: a workspace has a type by one binding at most. */
  record Bound(GroupResource type) implements BindingQuery {}

  /**
   * Of the objects of a type that all workspaces have: one that lets this export's owner see it.
   */
  record Claimed(GroupResource type, LogicalCluster exporter, String export)
      implements BindingQuery {}

  /** Of a provider's consent: one by which it lets an export's owner at objects of this type. */
  record Consent(GroupResource type, String export) implements BindingQuery {}

  /** What has to be known of the bindings to judge whose a rule's dependents and targets are. */
  static List<BindingQuery> by(DependencyRule rule, GroupResource targets) {
    DependencyRule.Dependent dependent = rule.dependent();
    GroupResource type = GroupResource.of(dependent.type());
    return List.of(
        dependent.isCore()
            ? new Claimed(type, rule.key().cluster(), dependent.apiExportName())
            : new Bound(type),
        new Bound(targets));
  }

  /** Whether this is the one. */
  default boolean isIn(Binding binding) {
    return switch (this) {
      case Bound(var type) -> binding.bound().contains(type);
      case Claimed(var type, var exporter, var export) ->
          binding.claims().contains(type) && binding.mayBindExport(exporter, export);
      case Consent(var type, var export) ->
          binding.claims().contains(type) && binding.export().equals(export);
    };
  }
}
