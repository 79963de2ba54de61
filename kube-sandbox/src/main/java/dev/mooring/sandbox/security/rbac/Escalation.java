package dev.mooring.sandbox.security.rbac;

import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A user cannot grant rules that it does not hold: the check behind writing roles and bindings. */
public final class Escalation {
  /** What one has to hold to let a role aggregate others. */
  public static final List<PolicyRule> FULL_AUTHORITY =
      List.of(
          new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

  private Escalation() {}

  /**
   * Why the user must not grant the rules, as Kubernetes says it; empty if the held rules cover
   * them.
   */
  public static Optional<String> refusal(
      UserInfo user, List<PolicyRule> held, List<PolicyRule> granted) {
    var missing = new TreeSet<String>();
    for (PolicyRule rule : granted) {
      for (PolicyRule atom : rule.atoms()) {
        if (held.stream().noneMatch(own -> own.covers(atom))) {
          missing.add(atom.compact());
        }
      }
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:\n%s"
            .formatted(user.name(), GoText.quoted(user.groups()), String.join("\n", missing)));
  }
}
