package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.DependentLister.WrongVersion;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Shortlist;
import dev.mooring.model.dependency.Target;
import dev.mooring.runtime.client.KubeFailure;

/** Words a failed search: what could not be read, for which rules, and what to do. */
final class LookupFailures {
  private LookupFailures() {}

  static String explained(DependentSearch search, Target target, RuntimeException failure) {
    String checking =
        "checking dependencies for rule %s: listing %s: "
            .formatted(
                Shortlist.of(
                    search.protections().stream()
                        .map(protection -> protection.rule().qualifiedName())
                        .toList(),
                    ", "),
                search.dependent());
    return checking
        + switch (failure) {
          case WrongVersion wrong ->
              "logical cluster %s serves it only as %s; correct the rule's spec.dependent.version"
                  .formatted(target.key().cluster(), String.join(", ", wrong.versions()));
          case KubeFailure refused ->
              MissingRight.explained(
                  refused, "get and list", search.dependent(), target.key().cluster());
          default -> failure.getMessage();
        };
  }
}
