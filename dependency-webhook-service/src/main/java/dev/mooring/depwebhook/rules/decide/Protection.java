package dev.mooring.depwebhook.rules.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import java.util.Comparator;
import java.util.Objects;

/** One dependency of one rule: a reason to look whether something refers to a target. */
public record Protection(DependencyRule rule, Dependency dependency)
    implements Comparable<Protection> {
  private static final Comparator<Protection> ORDER =
      Comparator.<Protection, String>comparing(p -> p.rule().qualifiedName())
          .thenComparing(p -> p.dependency().field().text());

  public Protection {
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(dependency, "dependency");
  }

  @Override
  public int compareTo(Protection other) {
    return ORDER.compare(this, other);
  }
}
