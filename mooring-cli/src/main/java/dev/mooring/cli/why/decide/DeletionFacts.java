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
 * @param mentions objects of bound types that seem to refer to the object
 * @param mayAnnotate whether the caller may put the bypass annotation on the object
 * @param webhook what the dependency webhook itself says, in lines
 */
public record DeletionFacts(
    ServedType type,
    KubeObject object,
    DryRun dryRun,
    List<RuleView> rules,
    List<String> unread,
    List<Mention> mentions,
    Fact<Boolean> mayAnnotate,
    Fact<List<String>> webhook) {
  public DeletionFacts {
    rules = List.copyOf(rules);
    unread = List.copyOf(unread);
    mentions = List.copyOf(mentions);
  }

  /** As the user types it to kubectl. */
  String kubectlName() {
    return type.kubectlName(object);
  }

  Stream<RuleView> denying() {
    return rules.stream().filter(rule -> rule.mode().equals("Deny"));
  }
}
