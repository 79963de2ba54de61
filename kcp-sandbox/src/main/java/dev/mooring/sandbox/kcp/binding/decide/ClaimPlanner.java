package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.claim.decide.ClaimSelector;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares what an export claims with what a consumer accepts. Claims that both name are applied;
 * an accepted claim that the export does not make is reported and ignored.
 */
final class ClaimPlanner {
  static final String APPLIED = "PermissionClaimsApplied";
  static final String VALID = "PermissionClaimsValid";

  /** Unexpected claims that a message names; the others are counted. */
  private static final int LISTED_MAX = 10;

  /** The binding with its new status, and the resources whose objects' labels have to follow. */
  record Applied(KubeObject binding, Set<ClaimedResource> relabel) {}

  private ClaimPlanner() {}

  static Applied apply(KubeObject binding, KubeObject export, String now) {
    Set<ClaimedResource> exported = new LinkedHashSet<>();
    PermissionClaim.ofExport(export).forEach(claim -> exported.add(claim.resource()));
    List<PermissionClaim> expected = new ArrayList<>();
    var unexpected = new TreeSet<String>();
    for (PermissionClaim claim : PermissionClaim.ofBinding(binding)) {
      if (claim.accepted() && exported.contains(claim.resource())) {
        expected.add(claim);
      } else if (claim.accepted()) {
        unexpected.add(
            "unexpected/invalid claim for %s (identity \"%s\")"
                .formatted(claim.resource().described(), claim.resource().identityHash()));
      }
    }
    Set<ClaimedResource> changed = changed(PermissionClaim.appliedIn(binding), expected);
    KubeObject after =
        expected.isEmpty()
            ? binding.without("status", "appliedPermissionClaims")
            : binding.with(
                expected.stream().map(PermissionClaim::appliedTree).toList(),
                "status",
                "appliedPermissionClaims");
    after = Conditions.met(after, APPLIED, now);
    after =
        unexpected.isEmpty()
            ? Conditions.met(after, VALID, now)
            : Conditions.unmet(
                after,
                VALID,
                Severity.ERROR,
                "InvalidPermissionClaims",
                message(List.copyOf(unexpected)),
                now);
    return new Applied(after, changed);
  }

  private static Set<ClaimedResource> changed(
      List<PermissionClaim> before, List<PermissionClaim> after) {
    Map<ClaimedResource, ClaimSelector> selectors = new HashMap<>();
    before.forEach(claim -> selectors.put(claim.resource(), claim.selector()));
    Set<ClaimedResource> changed = new LinkedHashSet<>();
    for (PermissionClaim claim : after) {
      ClaimSelector present = selectors.remove(claim.resource());
      if (!claim.selector().equals(present)) {
        changed.add(claim.resource());
      }
    }
    changed.addAll(selectors.keySet());
    return changed;
  }

  private static String message(List<String> unexpected) {
    List<String> shown = unexpected.subList(0, Math.min(LISTED_MAX, unexpected.size()));
    String list = shown.size() == 1 ? shown.getFirst() : "[" + String.join(", ", shown) + "]";
    return "%s unexpected and/or invalid permission claims (showing first %s): %s"
        .formatted(unexpected.size(), shown.size(), list);
  }
}
