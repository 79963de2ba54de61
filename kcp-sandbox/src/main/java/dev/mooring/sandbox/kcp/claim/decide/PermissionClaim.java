package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One permission claim of an APIExport, or the answer to it in an APIBinding.
 *
 * @param verbs {@code *} stands for every verb
 * @param defaultSelector what the export proposes
 * @param selector everything, in an export
 * @param decision {@link Decision#OPEN} in an export
 */
public record PermissionClaim(
    ClaimedResource resource,
    List<String> verbs,
    Optional<ClaimSelector> defaultSelector,
    ClaimSelector selector,
    Decision decision) {

  /** The consumer's decision on a claim. */
  public enum Decision {
    OPEN,
    ACCEPTED,
    REJECTED
  }

  public PermissionClaim {
    verbs = List.copyOf(verbs);
  }

  /** The claims of an APIExport, {@code v1alpha2}. */
  public static List<PermissionClaim> ofExport(KubeObject export) {
    return export.list("spec", "permissionClaims").stream()
        .map(Trees::mapOrEmpty)
        .map(claim ->
            new PermissionClaim(
                ClaimedResource.of(claim),
                Trees.texts(claim.get("verbs")),
                defaultSelector(claim),
                ClaimSelector.all(),
                Decision.OPEN))
        .toList();
  }

  /** The answers in an APIBinding, {@code v1alpha2}. */
  public static List<PermissionClaim> ofBinding(KubeObject binding) {
    return scoped(binding.list("spec", "permissionClaims"));
  }

  /** What an APIBinding's status says is applied; every one counts as accepted. */
  public static List<PermissionClaim> appliedIn(KubeObject binding) {
    return scoped(binding.list("status", "appliedPermissionClaims")).stream()
        .map(c ->
            new PermissionClaim(
                c.resource, c.verbs, c.defaultSelector, c.selector, Decision.ACCEPTED))
        .toList();
  }

  private static List<PermissionClaim> scoped(List<Object> claims) {
    return claims.stream()
        .map(Trees::mapOrEmpty)
        .map(claim ->
            new PermissionClaim(
                ClaimedResource.of(claim),
                Trees.texts(claim.get("verbs")),
                defaultSelector(claim),
                new ClaimSelector(Trees.map(claim, "selector")),
                decision(Trees.text(claim, "state"))))
        .toList();
  }

  private static Optional<ClaimSelector> defaultSelector(Map<String, Object> claim) {
    return claim.get("defaultSelector") == null
        ? Optional.empty()
        : Optional.of(new ClaimSelector(Trees.map(claim, "defaultSelector")));
  }

  public boolean accepted() {
    return decision == Decision.ACCEPTED;
  }

  /** As an APIBinding's {@code status.appliedPermissionClaims} holds it. */
  public Map<String, Object> appliedTree() {
    var tree = new LinkedHashMap<>(resource.tree());
    defaultSelector.ifPresent(selected -> tree.put("defaultSelector", selected.tree()));
    tree.put("selector", selector.tree());
    tree.put("verbs", verbs);
    return tree;
  }

  private static Decision decision(String state) {
    return switch (state) {
      case "Accepted" -> Decision.ACCEPTED;
      case "Rejected" -> Decision.REJECTED;
      default -> Decision.OPEN;
    };
  }
}
