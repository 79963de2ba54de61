package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.workspace.decide.LoneSegment;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a rule, or a part of it, protects nothing, or is not known to.
 *
 * @param reason as in conditions
 * @param message what is wrong, and what to do
 */
public record Shortfall(Kind kind, String reason, String message) {
  public static final String WORKSPACE_NOT_FOUND = "WorkspaceNotFound";
  public static final String WORKSPACE_UNREADABLE = "WorkspaceUnreadable";
  private static final String AUTHORITY_UNKNOWN = "AuthorityUnknown";

  public Shortfall {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
  }

  /** The gravest first. */
  public enum Kind {
    /** It protects nothing. */
    NOT_COUNTING,
    /** What could not be read may show that it does not. */
    UNKNOWN
  }

  /** Empty if there is none, or while nobody has looked. */
  public static Optional<Shortfall> of(Dependency dependency, Standing standing) {
    WorkspacePath path = dependency.export().path();
    if (standing.authority().orElse(null) instanceof Authority.Denied(var reason, var message)) {
      boolean lone = reason == Authority.Reason.TARGET_EXPORT_NOT_FOUND && LoneSegment.is(path);
      return Optional.of(
          new Shortfall(
              Kind.NOT_COUNTING,
              reason.text(),
              lone ? message + "; " + LoneSegment.remedy(path) : message));
    }
    return switch (standing.resolution()) {
      case Resolution.Absent(var message) ->
          Optional.of(new Shortfall(Kind.NOT_COUNTING, WORKSPACE_NOT_FOUND, message));
      case Resolution.Unknown(var message) ->
          Optional.of(new Shortfall(Kind.UNKNOWN, WORKSPACE_UNREADABLE, message));
      case Resolution.Known(_), Resolution.Pending() ->
          standing.authority().orElse(null) instanceof Authority.Unknown(var why)
              ? Optional.of(
                  new Shortfall(
                      Kind.UNKNOWN,
                      AUTHORITY_UNKNOWN,
                      LoneSegment.is(path) ? LoneSegment.remedy(path) + "; " + why : why))
              : Optional.empty();
    };
  }

  /** What becomes of the rule, and why; to be read after its name. */
  public String told() {
    String effect =
        switch (kind) {
          case NOT_COUNTING -> "does not count: ";
          case UNKNOWN -> "may not count: ";
        };
    return effect + reason + ": " + message;
  }

  Shortfall graver(Shortfall other) {
    return other.kind.compareTo(kind) < 0 ? other : this;
  }
}
