package dev.mooring.sandbox.security.oidc;

import dev.mooring.sandbox.cel.CelExpression;
import java.util.List;
import java.util.Map;

/**
 * One issuer and how its tokens become users: a {@code jwt} entry of an
 * AuthenticationConfiguration, checked and compiled.
 *
 * @param extra by key
 * @param requiredClaims values by claim
 */
record JwtSettings(
    Issuer issuer,
    Mapping username,
    Mapping groups,
    Mapping uid,
    Map<String, CelExpression> extra,
    Map<String, String> requiredClaims,
    List<Rule> claimRules,
    List<Rule> userRules) {
  JwtSettings {
    extra = Map.copyOf(extra);
    requiredClaims = Map.copyOf(requiredClaims);
    claimRules = List.copyOf(claimRules);
    userRules = List.copyOf(userRules);
  }

  /**
   * Who signs.
   *
   * @param discoveryUrl of the OpenID configuration; empty for the well-known one below the URL
   * @param certificateAuthority PEM of those who may sign the issuer's certificate; empty for the
   *     trust of this machine
   * @param audiences of which a token must name one
   */
  record Issuer(
      String url, String discoveryUrl, String certificateAuthority, List<String> audiences) {
    Issuer {
      audiences = List.copyOf(audiences);
    }
  }

  /** Where a part of a user comes from. */
  sealed interface Mapping {
    record None() implements Mapping {}

    record Claim(String name, String prefix) implements Mapping {}

    record Expression(CelExpression expression) implements Mapping {}
  }

  /**
   * What must be true of claims or a user.
   *
   * @param source of the expression
   */
  record Rule(String source, CelExpression expression, String message) {}
}
