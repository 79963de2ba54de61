package dev.mooring.sandbox.quota;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.library.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one ResourceQuota says about numbers of objects. Pure. */
final class QuotaLimits {
  private static final String COUNT = "count/";

  /** Core resources that may be limited by their bare name. */
  private static final Set<String> BARE =
      Set.of(
          "configmaps",
          "persistentvolumeclaims",
          "pods",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "services");

  private QuotaLimits() {}

  /** The names under which a quota may limit the number of a resource's objects. */
  static List<String> names(ResourceType type) {
    String counted = COUNT + type.qualified();
    return type.group().isEmpty() && BARE.contains(type.resource())
        ? List.of(type.resource(), counted)
        : List.of(counted);
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
