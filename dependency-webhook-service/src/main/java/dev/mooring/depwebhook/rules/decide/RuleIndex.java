package dev.mooring.depwebhook.rules.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.WorkspacePaths;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All rules at one moment, by what they protect. A target's versions share its rules, because they
 * share its objects.
 */
public final class RuleIndex {
  public static final RuleIndex EMPTY = of(List.of());

  private final Map<GroupResource, List<MatchedRule>> byTarget;
  private final Map<GroupResource, List<MatchedRule>> reviewed;
  private final List<DependencyRule> rules;

  private RuleIndex(
      Map<GroupResource, List<MatchedRule>> byTarget,
      Map<GroupResource, List<MatchedRule>> reviewed,
      List<DependencyRule> rules) {
    this.byTarget = byTarget;
    this.reviewed = reviewed;
    this.rules = rules;
  }

  public static RuleIndex of(Collection<DependencyRule> rules) {
    var byTarget = new HashMap<GroupResource, List<MatchedRule>>();
    var reviewed = new HashMap<GroupResource, List<MatchedRule>>();
    for (DependencyRule rule : rules) {
      for (DependencyRule.Dependency dependency : rule.dependencies()) {
        byTarget
            .computeIfAbsent(GroupResource.of(dependency.target()), target -> new ArrayList<>())
            .add(new MatchedRule(rule, dependency));
        if (rule.guardsReferences() && rule.enforcement().mode() == Mode.DENY) {
          reviewed
              .computeIfAbsent(
                  GroupResource.of(rule.dependent().type()), dependent -> new ArrayList<>())
              .add(new MatchedRule(rule, dependency));
        }
      }
    }
    byTarget.replaceAll((target, protections) -> protections.stream().sorted().toList());
    reviewed.replaceAll((dependent, protections) -> protections.stream().sorted().toList());
    return new RuleIndex(Map.copyOf(byTarget), Map.copyOf(reviewed), List.copyOf(rules));
  }

  /**
   * The statements that want new references from a type reviewed.
   *
   * @param author in whose workspace the rules stand, if that is known: the same type may be
   *     exported by others
   */
  public List<MatchedRule> referencesFrom(
      GroupResource dependent, Optional<LogicalCluster> author) {
    return reviewed.getOrDefault(dependent, List.of()).stream()
        .filter(p -> author.isEmpty() || p.rule().key().cluster().equals(author.get()))
        .toList();
  }

  /** How many rules are in force. */
  public int size() {
    return rules.size();
  }

  public List<DependencyRule> rules() {
    return rules;
  }

  /** The rules in one workspace, sorted by name. */
  public List<DependencyRule> writtenIn(LogicalCluster author) {
    return rules.stream()
        .filter(rule -> rule.key().cluster().equals(author))
        .sorted(Comparator.comparing(rule -> rule.key().name()))
        .toList();
  }

  /**
   * The rules about what a provider exports, sorted. Rules name it by its path or by its cluster.
   *
   * @param path empty if it is not known
   */
  public List<DependencyRule> about(LogicalCluster provider, Optional<WorkspacePath> path) {
    Predicate<WorkspacePath> isProvider =
        named -> named.value().equals(provider.name()) || path.filter(named::equals).isPresent();
    return rules.stream()
        .filter(
            rule -> rule.dependencies().stream().map(d -> d.export().path()).anyMatch(isProvider))
        .sorted(Comparator.comparing(DependencyRule::qualifiedName))
        .toList();
  }

  public int targets() {
    return byTarget.size();
  }

  /** Every rule's protections of the target, of any provider; sorted by rule. */
  public List<MatchedRule> about(GroupResource target) {
    return byTarget.getOrDefault(target, List.of());
  }

  /**
   * The statements about a target that a particular provider exports. A rule about another
   * provider's resource of the same name does not count; without a provider, or where only kcp
   * could tell two paths apart, it does.
   */
  public List<MatchedRule> about(GroupResource target, Optional<WorkspacePath> provider) {
    return about(target).stream()
        .filter(p ->
            provider
                .map(path -> WorkspacePaths.certainlyDiffer(path, p.dependency().export().path()))
                .map(differ -> !differ)
                .orElse(true))
        .toList();
  }
}
