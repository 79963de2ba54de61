package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.rules.decide.RuleProblem;

/** What became of protecting one provider's workspace. */
public sealed interface Installation {
  /**
   * The workspace's API server asks the webhook about all of this.
   *
   * @param failurePolicy of what it does while the webhook does not answer
   */
  record Installed(Coverage coverage, GuardSettings.FailurePolicy failurePolicy)
      implements Installation {}

  /** Not as it should be. */
  record Blocked(Cause cause, String message) implements Installation {}

  /** Not tried yet. */
  record Pending() implements Installation {}

  /** What is in the way. The names are reasons of conditions. */
  enum Cause {
    /** The provider has to bind the APIExport. */
    PROVIDER_NOT_BOUND(RuleProblem.PROVIDER_NOT_BOUND),
    /** The provider has to accept the permission claim. */
    CLAIM_NOT_ACCEPTED("ClaimNotAccepted"),
    /** The provider has to accept the permission claim without a selector. */
    CLAIM_NARROWED("ClaimNarrowed"),
    /** The controller has to be granted the content of the APIExport. */
    CONTENT_FORBIDDEN("ContentForbidden"),
    /** It is tried again. */
    WRITE_FAILED("WriteFailed");

    private final String reason;

    Cause(String reason) {
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }
}
