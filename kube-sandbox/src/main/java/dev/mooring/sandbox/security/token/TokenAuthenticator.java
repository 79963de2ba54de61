package dev.mooring.sandbox.security.token;

import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.security.token.ServiceAccountClaims.Origin;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows administrators and the users of the token file by token, and service accounts. A service
 * account's token is good for the audiences that it names, every other one for the server's own.
 */
public final class TokenAuthenticator {
  private static final Logger LOG = LoggerFactory.getLogger(TokenAuthenticator.class);
  private static final String INVALID = "invalid bearer token";

  private final String audience;
  private final Map<String, UserInfo> users;
  private final ServiceAccountTokens tokens;
  private final ServiceAccountTokenValidator validator;

  /** What a token turned out to be. */
  public sealed interface Outcome {
    /**
     * @param audiences those asked for that the token is good for; never empty
     */
    record Valid(UserInfo user, List<String> audiences) implements Outcome {}

    record Invalid(String message) implements Outcome {}
  }

  /**
   * @param audience of the server
   * @param users by token, without the group {@code system:authenticated}
   */
  public TokenAuthenticator(
      String audience,
      Map<String, UserInfo> users,
      ServiceAccountTokens tokens,
      ServiceAccountTokenValidator validator) {
    this.audience = audience;
    var authenticated = new LinkedHashMap<String, UserInfo>();
    users.forEach((token, user) -> authenticated.put(token, user.authenticated()));
    this.users = Map.copyOf(authenticated);
    this.tokens = tokens;
    this.validator = validator;
  }

  /** Whose token it is; empty, and why in the log, if it is not good for this server. */
  public Optional<UserInfo> userOf(String token) {
    return switch (review(token, List.of())) {
      case Outcome.Valid valid -> Optional.of(valid.user());
      case Outcome.Invalid(String message) -> {
        LOG.info("Unable to authenticate the request: {}", message);
        yield Optional.empty();
      }
    };
  }

  /**
   * Whose token it is, and for whom. An empty one is that of an anonymous user.
   *
   * @param asked the audiences of which the token must name one; if empty, the server's own
   */
  public Outcome review(String token, List<String> asked) {
    List<String> targets = asked.isEmpty() ? List.of(audience) : asked;
    if (token.isEmpty()) {
      return new Outcome.Valid(UserInfo.anonymous(), targets);
    }
    UserInfo known = users.get(token);
    if (known != null) {
      return targets.contains(audience)
          ? new Outcome.Valid(known, List.of(audience))
          : new Outcome.Invalid(INVALID);
    }
    Optional<ServiceAccountClaims> claims = tokens.read(token);
    if (claims.isEmpty()) {
      return new Outcome.Invalid(INVALID);
    }
    List<String> named = audiences(claims.get());
    List<String> good = targets.stream().filter(named::contains).toList();
    return good.isEmpty()
        ? refused(
            "token audiences %s is invalid for the target audiences %s"
                .formatted(GoText.quoted(named), GoText.quoted(targets)))
        : validator
            .problem(claims.get(), token)
            .map(TokenAuthenticator::refused)
            .orElseGet(() -> new Outcome.Valid(claims.get().user().authenticated(), good));
  }

  private static Outcome refused(String why) {
    return new Outcome.Invalid("[" + INVALID + ", " + why + "]");
  }

  /** A token in a Secret names none, and is for the server. */
  private List<String> audiences(ServiceAccountClaims claims) {
    return switch (claims.origin()) {
      case Origin.Requested requested when !requested.audiences().isEmpty() ->
          requested.audiences();
      case Origin.Requested _, Origin.Kept _ -> List.of(audience);
    };
  }
}
