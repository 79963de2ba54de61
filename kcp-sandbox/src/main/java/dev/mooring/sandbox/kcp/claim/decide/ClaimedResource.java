package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.object.Trees;
import java.util.Map;

/**
 * Which resource a permission claim is about.
 *
 * @param group empty for the core group
 * @param identityHash empty for a type that every workspace has; otherwise the identity of the
 *     export whose resource is meant
 */
public record ClaimedResource(String group, String resource, String identityHash) {

  public static ClaimedResource of(Map<String, Object> claim) {
    return new ClaimedResource(
        Trees.textOrEmpty(claim.get("group")),
        Trees.textOrEmpty(claim.get("resource")),
        Trees.textOrEmpty(claim.get("identityHash")));
  }

  /** As kcp writes it in conditions: {@code resource.group}, with a dot for the core group, too. */
  public String described() {
    return resource + "." + group;
  }

  public Map<String, Object> tree() {
    return Trees.ordered(
        "group", group,
        "identityHash", identityHash,
        "resource", resource);
  }
}
