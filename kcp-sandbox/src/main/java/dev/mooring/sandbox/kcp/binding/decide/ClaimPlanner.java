package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.kcp.claim.decide.ClaimSelector;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

  /** Mismatches that a message names; the others are counted. */
  private static final int MISMATCHES_MAX = 5;

  /** The binding with its new status, and the resources whose objects' labels have to follow. */
  record Applied(KubeObject binding, Set<ClaimedResource> relabel) {}

  private ClaimPlanner() {}

  /**
   * @param unserved resources of claims that no workspace serves
   */
  static Applied apply(
      KubeObject binding, KubeObject export, Set<ClaimedResource> unserved, String now) {
    Map<ClaimedResource, PermissionClaim> exported = new HashMap<>();
    PermissionClaim.ofExport(export).forEach(claim -> exported.put(claim.resource(), claim));
    var expected = new TreeMap<String, PermissionClaim>();
    var unexpected = new TreeSet<String>();
    var mismatches = new ArrayList<String>();
    for (PermissionClaim claim : PermissionClaim.ofBinding(binding)) {
      if (claim.accepted() && exported.containsKey(claim.resource())) {
        expected.put(key(claim.resource()), claim);
      } else if (claim.accepted()) {
        unexpected.add(
            "unexpected/invalid claim for %s (identity \"%s\")"
                .formatted(claim.resource().described(), claim.resource().identityHash()));
      }
    }
    for (PermissionClaim claim : expected.values()) {
      Optional.ofNullable(exported.get(claim.resource()))
          .flatMap(asked -> mismatch(claim, asked))
          .ifPresent(mismatches::add);
    }
    List<PermissionClaim> appliedBefore = PermissionClaim.appliedIn(binding);
    List<String> failures =
        expected.values().stream()
            .map(PermissionClaim::resource)
            .filter(unserved::contains)
            .map(ClaimPlanner::failure)
            .toList();
    expected.values().removeIf(claim -> unserved.contains(claim.resource()));
    Set<ClaimedResource> changed = changed(appliedBefore, expected.values());
    KubeObject after =
        expected.isEmpty()
            ? binding.without("status", "appliedPermissionClaims")
            : binding.with(
                expected.values().stream().map(PermissionClaim::appliedTree).toList(),
                "status",
                "appliedPermissionClaims");
    after = failures.isEmpty() ? Conditions.met(after, APPLIED, now) : failed(after, failures, now);
    return new Applied(valid(after, List.copyOf(unexpected), mismatches, now), changed);
  }

  private static String failure(ClaimedResource claimed) {
    return "error getting informer for group=\"%s\", resource=\"%s\": unable to find informer for %s.%s"
        .formatted(claimed.group(), claimed.resource(), claimed.group(), claimed.resource());
  }

  private static KubeObject failed(KubeObject binding, List<String> failures, String now) {
    return Conditions.unmet(
        binding,
        APPLIED,
        Severity.ERROR,
        "InternalError",
        "Permission claims have not been fully applied: " + listed(failures),
        now);
  }

  /** The order in which kcp applies claims. */
  private static String key(ClaimedResource claimed) {
    return claimed.resource() + "/" + claimed.group() + "/" + claimed.identityHash();
  }

  private static KubeObject valid(
      KubeObject binding, List<String> unexpected, List<String> mismatches, String now) {
    if (!mismatches.isEmpty()) {
      List<String> shown = mismatches.subList(0, Math.min(MISMATCHES_MAX, mismatches.size()));
      return Conditions.unmet(
          binding,
          VALID,
          Severity.WARNING,
          "PermissionClaimsMismatch",
          "%d permission claim(s) have mismatched verbs or selectors (showing first %d): %s"
              .formatted(mismatches.size(), shown.size(), String.join(", ", shown)),
          now);
    }
    return unexpected.isEmpty()
        ? Conditions.met(binding, VALID, now)
        : Conditions.unmet(
            binding, VALID, Severity.ERROR, "InvalidPermissionClaims", message(unexpected), now);
  }

  /** How the consumer's answer differs from what the export asks for; the verb * fits any. */
  private static Optional<String> mismatch(PermissionClaim accepted, PermissionClaim exported) {
    var parts = new ArrayList<String>();
    boolean any = accepted.verbs().contains("*") || exported.verbs().contains("*");
    if (!any && !Set.copyOf(accepted.verbs()).equals(Set.copyOf(exported.verbs()))) {
      parts.add(
          "verbs: accepted [%s], exported [%s]"
              .formatted(String.join(" ", accepted.verbs()), String.join(" ", exported.verbs())));
    }
    if (exported.defaultSelector().filter(it -> !it.equals(accepted.selector())).isPresent()) {
      parts.add("selector differs from defaultSelector");
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(accepted.resource().described() + " (" + String.join("; ", parts) + ")");
  }

  private static Set<ClaimedResource> changed(
      List<PermissionClaim> before, Collection<PermissionClaim> after) {
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
    return "%s unexpected and/or invalid permission claims (showing first %s): %s"
        .formatted(unexpected.size(), Math.min(LISTED_MAX, unexpected.size()), listed(unexpected));
  }

  private static String listed(List<String> errors) {
    return GoText.aggregate(errors.subList(0, Math.min(LISTED_MAX, errors.size())));
  }
}
