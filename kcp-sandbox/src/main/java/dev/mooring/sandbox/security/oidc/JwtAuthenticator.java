package dev.mooring.sandbox.security.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.SignedJWT;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Users of one issuer. Thread-safe. */
final class JwtAuthenticator {
  /** As much as clocks may differ for {@code nbf}, and not for {@code exp}. */
  private static final Duration LEEWAY = Duration.ofMinutes(5);

  private static final DateTimeFormatter GO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final JwtSettings.Issuer issuer;
  private final IssuerKeys keys;
  private final ClaimMapper mapper;
  private final InstantSource clock;

  JwtAuthenticator(JwtSettings settings, Set<JWSAlgorithm> algorithms, InstantSource clock) {
    this.issuer = settings.issuer();
    this.keys = new IssuerKeys(issuer, algorithms, clock);
    this.mapper = new ClaimMapper(settings);
    this.clock = clock;
  }

  /** The {@code iss} of its tokens. */
  String issuer() {
    return issuer.url();
  }

  JwtOutcome authenticate(String token) {
    try {
      return new JwtOutcome.Valid(mapper.userOf(verified(token)));
    } catch (TokenRefused refused) {
      return new JwtOutcome.Refused(String.valueOf(refused.getMessage()));
    }
  }

  /** The claims of a token that is good now. */
  private Map<String, Object> verified(String token) throws TokenRefused {
    try {
      SignedJWT signed = SignedJWT.parse(token);
      Map<String, Object> claims = KubeJson.readObject(signed.getPayload().toBytes()).tree();
      requireAudience(claims.get("aud"));
      requireTime(claims);
      keys.requireSigned(signed);
      return claims;
    } catch (ParseException e) {
      throw new TokenRefused("oidc: verify token: oidc: malformed jwt: " + e.getMessage());
    }
  }

  private void requireAudience(@Nullable Object claim) throws TokenRefused {
    List<String> named = claim instanceof String one ? List.of(one) : Trees.texts(claim);
    if (named.stream().noneMatch(issuer.audiences()::contains)) {
      throw new TokenRefused(
          "oidc: verify token: oidc: expected audience %s got %s"
              .formatted(
                  issuer.audiences().size() == 1
                      ? GoQuotes.quote(issuer.audiences().getFirst())
                      : "in " + GoText.quoted(issuer.audiences()),
                  GoText.quoted(named)));
    }
  }

  /** A token without an end is over. */
  private void requireTime(Map<String, Object> claims) throws TokenRefused {
    Instant now = clock.instant();
    Instant expiry = claims.get("exp") instanceof Number end ? time(end) : Instant.EPOCH;
    if (now.isAfter(expiry)) {
      throw new TokenRefused(
          "oidc: verify token: oidc: token is expired (Token Expiry: "
              + GO_TIME.format(expiry)
              + ")");
    }
    if (claims.get("nbf") instanceof Number begin && now.plus(LEEWAY).isBefore(time(begin))) {
      throw new TokenRefused(
          "oidc: verify token: oidc: current time %s before the nbf (not before) time: %s"
              .formatted(GO_TIME.format(now), GO_TIME.format(time(begin))));
    }
  }

  private static Instant time(Number seconds) {
    return Instant.ofEpochSecond(seconds.longValue());
  }
}
