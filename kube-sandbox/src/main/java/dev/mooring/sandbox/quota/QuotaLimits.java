package dev.mooring.sandbox.quota;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.library.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one ResourceQuota says about numbers of objects. Pure.
 *
 * @param shortNames core resources that may be limited by their bare name
 */
record QuotaLimits(Set<String> shortNames) {
  private static final String COUNT = "count/";

  /** Core resources that Kubernetes limits by their bare name as well. */
  private static final Set<String> SHORT_NAMES =
      Set.of(
          "configmaps",
          "persistentvolumeclaims",
          "pods",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "services");

  /** Where kcp looks for quotas of a whole workspace. */
  static final String WORKSPACE_NAMESPACE = "admin";

  private static final String WORKSPACE_WIDE = "experimental.quota.kcp.io/cluster-scoped";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  static QuotaLimits of(Counting counting) {
    return new QuotaLimits(
        switch (counting) {
          case KUBERNETES -> SHORT_NAMES;
          case KCP -> Set.of();
        });
  }

  /** Whether a quota limits the objects of a whole workspace, those without a namespace as well. */
  static boolean isWorkspaceWide(ObjectKey key, KubeObject quota) {
    return !key.cluster().equals(LogicalCluster.NONE)
        && key.namespace().equals(WORKSPACE_NAMESPACE)
        && quota.annotation(WORKSPACE_WIDE).filter(TRUE::contains).isPresent();
  }

  /** The names under which a quota may limit the number of a resource's objects. */
  List<String> names(ResourceType type) {
    String counted = COUNT + type.qualified();
    return type.group().isEmpty() && shortNames.contains(type.resource())
        ? List.of(type.resource(), counted)
        : List.of(counted);
  }

  /** The resource that a limit's name counts, such as {@code widgets.example.io}. */
  static String counted(String name) {
    return name.startsWith(COUNT) ? name.substring(COUNT.length()) : name;
  }

  /** The limits of a quota, by name; scopes are for pods, which nothing runs here. */
  static Map<String, String> hard(KubeObject quota) {
    var hard = new TreeMap<String, String>();
    quota.map("spec", "hard").forEach((name, limit) -> hard.put(name, Trees.textOrEmpty(limit)));
    return hard;
  }

  /** Limits are quantities: {@code 1k} is a thousand. What is no number limits nothing. */
  static boolean exceeded(String hard, long used) {
    return Quantity.parse(hard)
        .map(limit -> BigDecimal.valueOf(used).compareTo(limit.amount()) > 0)
        .orElse(false);
  }
}
