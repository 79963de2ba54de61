package dev.mooring.depwebhook.bypass;

import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the workspace of the target's provider whether a caller may {@code bypass} a rule there: the
 * rule protects that provider's objects, so that provider grants the permission.
 */
public final class BypassPermissions {
  private static final Logger LOG = LoggerFactory.getLogger(BypassPermissions.class);

  private final Function<Protection, KubeClient> providers;
  private final Function<LogicalCluster, KubeClient> clusters;

  /**
   * @param providers the workspace that a protection's target is exported from
   * @param clusters one logical cluster
   */
  public BypassPermissions(
      Function<Protection, KubeClient> providers, Function<LogicalCluster, KubeClient> clusters) {
    this.providers = providers;
    this.clusters = clusters;
  }

  /**
   * @param caller without a name if the deletion is hypothetical
   * @param provider of the target, if the review says it
   * @return empty if it is permitted, else why not
   */
  public Optional<String> refusal(
      Protection protection, Caller caller, Optional<LogicalCluster> provider) {
    String rule = protection.rule().key().name();
    String where = protection.dependency().export().path().value();
    if (caller.username().isEmpty()) {
      return Optional.of(
          "the caller needs permission to bypass %s %s in workspace %s"
              .formatted(GroupResource.of(DependencyRule.TYPE), rule, where));
    }
    try {
      KubeClient workspace = provider.map(clusters).orElseGet(() -> providers.apply(protection));
      GroupResource rules = GroupResource.of(DependencyRule.TYPE);
      return PermissionReviewer.permits(workspace, caller, "bypass", rules, rule)
          ? Optional.empty()
          : Optional.of(
              "user %s needs permission to bypass %s %s in workspace %s"
                  .formatted(caller.username(), rules, rule, where));
    } catch (KubeFailure failure) {
      LOG.warn(
          "Permission to bypass rule {} in workspace {} could not be reviewed: {}{}",
          rule,
          where,
          failure.getMessage(),
          failure.kind() == KubeFailure.Kind.FORBIDDEN
              ? "; let the webhook's user create subjectaccessreviews.authorization.k8s.io there"
              : "");
      // The details are about the webhook's own permissions, and not for the caller.
      return Optional.of(
          ("who may bypass rule %s in workspace %s could not be looked up, ask again, or the"
                  + " platform's operator if it stays so")
              .formatted(rule, where));
    }
  }
}
