package dev.mooring.cli.why.decide;

import dev.mooring.cli.live.ServedType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is known of the deletion of one object.
 *
 * @param rules about its type, of the providers whose APIs the workspace binds
 * @param unread workspaces of providers whose rules the caller may not read, with the reason
 * @param mayAnnotate whether the caller may put the bypass annotation on the object
 * @param webhook what the dependency webhook itself says, in lines
 */
public record DeletionFacts(
    ServedType type,
    KubeObject object,
    DryRun dryRun,
    List<RuleView> rules,
    List<String> unread,
    Fact<Boolean> mayAnnotate,
    Fact<List<String>> webhook) {
  public DeletionFacts {
    rules = List.copyOf(rules);
    unread = List.copyOf(unread);
  }

  /** As the user types it to kubectl. */
  String kubectlName() {
    return type.resource().qualified() + " " + object.name() + namespaceOption();
  }

  private String namespaceOption() {
    return type.namespaced() ? " -n " + object.namespace() : "";
  }

  Stream<RuleView> denying() {
    return rules.stream().filter(rule -> rule.mode().equals("Deny"));
  }
}
