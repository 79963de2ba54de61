package dev.mooring.depwebhook.rules.decide;

import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.ReferenceReader;
import java.util.Comparator;

/** One dependency of one rule: a reason to look whether something refers to a target. */
public record MatchedRule(DependencyRule rule, Dependency dependency)
    implements Comparable<MatchedRule> {
  private static final Comparator<MatchedRule> ORDER =
      Comparator.<MatchedRule, String>comparing(p -> p.rule().qualifiedName())
          .thenComparing(p -> p.dependency().export().path())
          .thenComparing(p -> p.dependency().export().name())
          .thenComparing(p -> p.dependency().target())
          .thenComparing(p -> p.dependency().field().text());

  /** What it finds in a dependent. */
  public ReferenceReader reader() {
    return rule.reader(dependency);
  }

  /** What comes of a blocker. */
  public Mode mode() {
    return rule.enforcement().mode();
  }

  /** How current the knowledge has to be by which it is judged. */
  public Consistency consistency() {
    return rule.enforcement().consistency();
  }

  @Override
  public int compareTo(MatchedRule other) {
    return ORDER.compare(this, other);
  }
}
