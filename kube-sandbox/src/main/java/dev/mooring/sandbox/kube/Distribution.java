package dev.mooring.sandbox.kube;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.builtin.BuiltInCatalog;
import dev.mooring.sandbox.quota.Counting;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.rbac.BootstrapPolicy;
import dev.mooring.sandbox.security.rbac.Policy;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The constants of a kind of server.
 *
 * @param administrator the user of the kubeconfig's current context
 * @param administrators all users of the kubeconfig, by token
 * @param policy roles and bindings that are there from the start
 * @param types built-in ones that not every kind of server has
 * @param reservedGroups endings of groups in which users cannot define resources
 * @param clusterObjects the object that a logical cluster needs, so that objects can be created in
 *     it; empty for one that needs none
 */
public record Distribution(
    String administrator,
    Function<AdminTokens, Map<String, UserInfo>> administrators,
    Policy policy,
    HeaderImpersonation.Guard impersonation,
    Counting counting,
    List<ResourceCatalog> types,
    Set<String> reservedGroups,
    Function<LogicalCluster, Optional<StorageKey>> clusterObjects) {
  /** Plain Kubernetes, which has no logical clusters and runs no workloads. */
  public static Distribution kubernetes() {
    return new Distribution(
        Kubeconfigs.KUBERNETES_ADMIN,
        AdminTokens::kubernetesUsers,
        BootstrapPolicy.kubernetes(),
        HeaderImpersonation.Guard.KUBERNETES,
        Counting.KUBERNETES,
        List.of(BuiltInCatalog.workloads()),
        Set.of(),
        _ -> Optional.empty());
  }
}
