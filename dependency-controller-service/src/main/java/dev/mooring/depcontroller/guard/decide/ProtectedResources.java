package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.rules.decide.ResolvedDependency;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WorkspacePaths;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What all rules together protect in one provider's workspace.
 *
 * @param coverage by eligible dependencies; may be empty
 * @param certainty whether unresolved rules may add to it
 */
public record ProtectedResources(Coverage coverage, Certainty certainty) {
  /** Whether every path and export that may concern this provider is resolved. */
  public sealed interface Certainty {
    record AllKnown() implements Certainty {}

    /**
     * A path or an export that could not be looked up may concern this very provider.
     *
     * @param because of these rules
     */
    record MayBeMore(SortedSet<ObjectKey> because) implements Certainty {
      public MayBeMore {
        because = Collections.unmodifiableSortedSet(new TreeSet<>(because));
      }
    }
  }

  public static ProtectedResources in(LogicalCluster provider, ResolvedRules resolvedRules) {
    return new Gathering(provider, resolvedRules).result();
  }

  /** One pass over the rules that concern the provider, or may. */
  private static final class Gathering {
    private final LogicalCluster provider;
    private final List<WorkspacePath> leading;
    private final Optional<WorkspacePath> path;
    private final TreeMap<GroupResource, DeletionGuard> deletions = new TreeMap<>();
    private final TreeMap<ResourceType, ReferenceGuard> references = new TreeMap<>();

    /** Rules with an unresolved dependency that may concern this provider. */
    private final TreeSet<ObjectKey> uncertain = new TreeSet<>();

    private Gathering(LogicalCluster provider, ResolvedRules resolvedRules) {
      this.provider = provider;
      this.path = Optional.ofNullable(resolvedRules.paths().get(provider));
      List<DependencyRule> own = resolvedRules.byProvider().getOrDefault(provider, List.of());
      this.leading =
          own.stream()
              .flatMap(rule -> resolvedRules.dependencies(rule).stream())
              .filter(resolved -> resolved.leadsTo(provider))
              .map(ResolvedDependency::path)
              .distinct()
              .toList();
      Stream.concat(own.stream(), resolvedRules.unsettled().stream())
          .forEach(rule -> gather(rule, resolvedRules.dependencies(rule)));
    }

    private void gather(DependencyRule rule, List<ResolvedDependency> dependencies) {
      for (ResolvedDependency resolved : dependencies) {
        if (!resolved.denied()) {
          target(rule, resolved);
          reference(rule, resolved);
        }
      }
    }

    private void target(DependencyRule rule, ResolvedDependency resolved) {
      if (!resolved.settled()) {
        if (mayMean(resolved.path())) {
          uncertain.add(rule.key());
        }
      } else if (resolved.leadsTo(provider)) {
        if (resolved.counts()) {
          deletions.merge(
              GroupResource.of(resolved.dependency().target()),
              DeletionGuard.of(rule.enforcement()),
              DeletionGuard::strictest);
        } else {
          uncertain.add(rule.key());
        }
      }
    }

    private void reference(DependencyRule rule, ResolvedDependency resolved) {
      if (!rule.guardsReferences() || !rule.key().cluster().equals(provider)) {
        return;
      }
      if (resolved.provider() == Membership.NONE) {
        return; // nothing is protected there, and the author must not learn why from this
      }
      switch (resolved.resolution()) {
        case Resolution.Known(_) when resolved.counts() ->
            references.merge(
                rule.dependent().type(), ReferenceGuard.of(rule), ReferenceGuard::strictest);
        case Resolution.Known(_), Resolution.Unknown(_), Resolution.Pending() ->
            uncertain.add(rule.key());
        case Resolution.Absent(_) -> {}
      }
    }

    /**
     * A workspace has one canonical path, so a path differs from that of a provider that is known:
     * from kcp, or because a rule's path led there.
     */
    private boolean mayMean(WorkspacePath unknown) {
      return path.map(own -> WorkspacePaths.mayLeadTo(unknown, own)).orElse(true)
          && !differsFromAnother(unknown);
    }

    private boolean differsFromAnother(WorkspacePath unknown) {
      return leading.stream().anyMatch(own -> WorkspacePaths.certainlyDiffer(unknown, own));
    }

    private ProtectedResources result() {
      return new ProtectedResources(
          new Coverage(deletions, references),
          uncertain.isEmpty() ? new Certainty.AllKnown() : new Certainty.MayBeMore(uncertain));
    }
  }
}
