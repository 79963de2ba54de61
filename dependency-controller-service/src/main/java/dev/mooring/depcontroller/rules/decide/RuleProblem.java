package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.SingleSegmentPath;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Optional;

/**
 * Why a rule is partly or fully ineffective.
 *
 * @param reason as in conditions
 * @param message the cause, and what to do
 */
public record RuleProblem(Kind kind, String reason, String message) {
  public static final String WORKSPACE_NOT_FOUND = "WorkspaceNotFound";
  public static final String WORKSPACE_UNREADABLE = "WorkspaceUnreadable";
  public static final String PROVIDER_NOT_BOUND = "ProviderNotBound";
  private static final String AUTHORITY_UNKNOWN = "AuthorityUnknown";

  /** The gravest first. */
  public enum Kind {
    /** The dependency protects nothing. */
    NOT_COUNTING,
    /** The dependency protects its targets, as far as could be read. */
    UNKNOWN
  }

  /** Empty if there is none, or while lookups are pending. */
  static Optional<RuleProblem> of(ResolvedDependency resolved) {
    WorkspacePath path = resolved.path();
    if (resolved.authority().orElse(null) instanceof Authority.Denied(var reason, var message)) {
      return Optional.of(new RuleProblem(Kind.NOT_COUNTING, reason.text(), message));
    }
    return switch (resolved.resolution()) {
      case Resolution.Absent(var message) ->
          Optional.of(new RuleProblem(Kind.NOT_COUNTING, WORKSPACE_NOT_FOUND, message));
      case Resolution.Unknown(var message) ->
          Optional.of(new RuleProblem(Kind.UNKNOWN, WORKSPACE_UNREADABLE, message));
      case Resolution.Known(var cluster) when !resolved.takesPart() ->
          Optional.of(
              new RuleProblem(
                  Kind.NOT_COUNTING,
                  PROVIDER_NOT_BOUND,
                  unbound(cluster)
                      + (SingleSegmentPath.is(path) ? "; " + SingleSegmentPath.remedy(path) : "")));
      case Resolution.Known(_), Resolution.Pending() ->
          resolved.authority().orElse(null) instanceof Authority.Unknown(var why)
              ? Optional.of(new RuleProblem(Kind.UNKNOWN, AUTHORITY_UNKNOWN, why))
              : Optional.empty();
    };
  }

  /** Names a provider that does not take part, and what to do. */
  public static String unbound(LogicalCluster provider) {
    return ("the provider's workspace (logical cluster %s) does not bind the dependency APIExport:"
            + " create an APIBinding there that accepts its permission claim")
        .formatted(provider);
  }

  /** The effect and its cause, as they follow the name of the rule. */
  public String text() {
    String effect =
        switch (kind) {
          case NOT_COUNTING -> "does not count: ";
          case UNKNOWN -> "may not count: ";
        };
    return effect + reason + ": " + message;
  }

  RuleProblem graver(RuleProblem other) {
    return other.kind.compareTo(kind) < 0 ? other : this;
  }
}
