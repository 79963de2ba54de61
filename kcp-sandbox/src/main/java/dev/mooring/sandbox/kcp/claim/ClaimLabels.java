package dev.mooring.sandbox.kcp.claim;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.claim.decide.BuiltInApis;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The labels that make an object visible to exports: one for each export whose claim the consumer
 * accepts for this resource and these labels.
 */
public record ClaimLabels(LoopbackClient objects) {
  /** Further writers of the object label it themselves. */
  private static final int ATTEMPTS_MAX = 10;

  /**
   * The object with its claim labels; the same instance if they are correct.
   *
   * @param bindings of the object's cluster
   */
  public static KubeObject labelled(
      KubeObject object, ResourceKey resourceKey, Collection<KubeObject> bindings) {
    return labelled(object, resourceKey, bindings, _ -> true);
  }

  private static KubeObject labelled(
      KubeObject object,
      ResourceKey resourceKey,
      Collection<KubeObject> bindings,
      Predicate<String> isRemovable) {
    Map<String, String> present = object.labels();
    Map<String, String> wanted = wanted(resourceKey, present, bindings);
    KubeObject after = object;
    for (var label : present.entrySet()) {
      if (label.getKey().startsWith(KcpNames.CLAIMED_PREFIX)
          && !wanted.containsKey(label.getKey())
          && isRemovable.test(label.getKey())
          && !keptAsReflexive(resourceKey, label)) {
        after = after.without("metadata", "labels", label.getKey());
      }
    }
    for (var label : wanted.entrySet()) {
      if (!label.getValue().equals(present.get(label.getKey()))) {
        after = after.with(label.getValue(), "metadata", "labels", label.getKey());
      }
    }
    return after != object && after.map("metadata", "labels").isEmpty()
        ? after.without("metadata", "labels")
        : after;
  }

  private static boolean keptAsReflexive(ResourceKey resourceKey, Map.Entry<String, String> label) {
    return resourceKey.equals(KcpResources.BINDINGS)
        && label.getValue().equals(KcpHashes.REFLEXIVE_CLAIM);
  }

  private static Map<String, String> wanted(
      ResourceKey resourceKey, Map<String, String> labels, Collection<KubeObject> bindings) {
    var wanted = new HashMap<String, String>();
    for (KubeObject binding : bindings) {
      String export = binding.labels().get(KcpNames.BOUND_EXPORT);
      if (export == null || binding.deleting()) {
        continue;
      }
      for (PermissionClaim claim : PermissionClaim.ofBinding(binding)) {
        if (claim.accepted()
            && covers(claim.resource(), resourceKey)
            && claim.selector().matches(labels)) {
          wanted.put(KcpNames.CLAIMED_PREFIX + export, value(claim.resource()));
        }
      }
    }
    return wanted;
  }

  /** The value of the label that a claim of the resource puts on its objects. */
  public static String value(ClaimedResource claimed) {
    return KcpHashes.claim(claimed.group(), claimed.resource(), claimed.identityHash());
  }

  private static boolean covers(ClaimedResource claimed, ResourceKey resourceKey) {
    return claimed.resource().equals(resourceKey.resource())
        && claimed.group().equals(resourceKey.group())
        && (claimed.identityHash().equals(resourceKey.identity())
            // kcp's own types belong to exports of root, and are stored without an identity.
            || resourceKey.identity().isEmpty() && BuiltInApis.isExported(claimed.group()));
  }

  /** Brings the labels of all objects of a claimed resource in a cluster in line. */
  public void relabel(
      ClaimedResource claimed, LogicalCluster cluster, Collection<KubeObject> bindings) {
    String identity = BuiltInApis.isExported(claimed.group()) ? "" : claimed.identityHash();
    var resourceKey = new ResourceKey(claimed.group(), claimed.resource(), identity);
    for (StoredObject object : objects.list(resourceKey, cluster)) {
      relabel(object, bindings);
    }
  }

  /** Brings the labels of one object in line; does nothing if it has gone meanwhile. */
  public void relabel(StoredObject object, Collection<KubeObject> bindings) {
    relabel(object, bindings, _ -> true);
  }

  /**
   * As {@link #relabel}, for a write that is already stored: a label whose binding has gone since
   * stays until the next write, as at kcp.
   */
  public void correct(StoredObject object, Collection<KubeObject> bindings) {
    Set<String> bound =
        bindings.stream()
            .filter(binding -> !binding.deleting())
            .map(binding -> KcpNames.CLAIMED_PREFIX + binding.labels().get(KcpNames.BOUND_EXPORT))
            .collect(Collectors.toSet());
    relabel(object, bindings, bound::contains);
  }

  private void relabel(
      StoredObject object, Collection<KubeObject> bindings, Predicate<String> isRemovable) {
    StoredObject current = object;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      KubeObject after =
          labelled(current.object(), current.key().resourceKey(), bindings, isRemovable);
      if (after == current.object()) {
        return;
      }
      try {
        objects.update(current, after);
        return;
      } catch (StoreConflict changed) {
        var again =
            objects.get(
                current.key().resourceKey(),
                current.key().cluster(),
                current.key().namespace(),
                current.key().name());
        if (again.isEmpty()) {
          return;
        }
        current = again.get();
      }
    }
  }
}
