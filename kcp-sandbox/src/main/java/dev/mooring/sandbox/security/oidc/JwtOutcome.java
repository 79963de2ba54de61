package dev.mooring.sandbox.security.oidc;

import dev.mooring.sandbox.security.user.UserInfo;

/** What issuers make of a token. */
public sealed interface JwtOutcome {
  /** A token of none of the issuers, or none at all. */
  record Foreign() implements JwtOutcome {}

  /**
   * A token of one of the issuers that is not good.
   *
   * @param why for the log and for token reviews
   */
  record Refused(String why) implements JwtOutcome {}

  record Valid(UserInfo user) implements JwtOutcome {}
}
