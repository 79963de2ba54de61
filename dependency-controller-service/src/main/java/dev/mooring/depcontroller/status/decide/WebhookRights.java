package dev.mooring.depcontroller.status.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.WebhookContract;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Which types of rules the webhook's user may not read.
 *
 * @param user as kcp knows it
 * @param known types about which kcp was asked, whether or not it could say
 * @param refused those of them that the user may not read
 */
public record WebhookRights(String user, Set<GroupResource> known, Set<GroupResource> refused) {
  public WebhookRights {
    known = Set.copyOf(known);
    refused = Set.copyOf(refused);
  }

  public boolean know(Collection<DependencyRule> rules) {
    return rules.stream().allMatch(rule -> known.containsAll(rule.read()));
  }

  /** The problem, and what to do; empty if none is known. */
  Optional<String> problem(DependencyRule rule) {
    return rule.read().stream()
        .filter(refused::contains)
        .findFirst()
        .map(type ->
            "the dependency webhook (user \"%s\") may not get and list %s, as kcp says in the workspace of the dependency APIExport, so %s; the operator of the webhook has to %s"
                .formatted(
                    user,
                    type,
                    rule.enforcement().mode() == Mode.DENY
                        ? "deletions of the targets are refused"
                        : "deletions of the targets are not checked",
                    WebhookContract.grant(type)));
  }
}
