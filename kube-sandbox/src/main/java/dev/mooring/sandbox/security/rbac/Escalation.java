package dev.mooring.sandbox.security.rbac;

import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    var missing = new ArrayList<PolicyRule>();
    for (PolicyRule rule : granted) {
      for (PolicyRule atom : rule.atoms()) {
        if (held.stream().noneMatch(own -> own.covers(atom))) {
          missing.add(atom);
        }
      }
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    var lines = new TreeSet<String>();
    compacted(missing).forEach(rule -> lines.add(rule.compact()));
    return Optional.of(
        "user \"%s\" (groups=%s) is attempting to grant RBAC permissions not currently held:%n%s"
            .formatted(user.name(), GoText.quoted(user.groups()), String.join("\n", lines))
            .replace("\r\n", "\n"));
  }

  /** Atoms that differ in the verb alone become one rule. */
  private static List<PolicyRule> compacted(List<PolicyRule> atoms) {
    record Target(List<String> groups, List<String> resources, List<String> names) {}
    var rules = new ArrayList<PolicyRule>();
    Map<Target, List<String>> verbs = new LinkedHashMap<>();
    for (PolicyRule atom : atoms) {
      if (atom.urls().isEmpty()) {
        verbs
            .computeIfAbsent(
                new Target(atom.groups(), atom.resources(), atom.resourceNames()),
                target -> new ArrayList<>())
            .addAll(atom.verbs());
      } else {
        rules.add(atom);
      }
    }
    verbs.forEach((target, all) ->
        rules.add(
            new PolicyRule(all, target.groups(), target.resources(), target.names(), List.of())));
    return rules;
  }
}
