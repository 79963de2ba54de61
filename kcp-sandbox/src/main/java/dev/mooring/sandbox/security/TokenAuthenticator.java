package dev.mooring.sandbox.security;

import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.security.token.ServiceAccountClaims;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.ResourceStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Knows administrators and the users of the token file by token, and service accounts. */
public final class TokenAuthenticator implements Authenticator {
  private static final Bucket SERVICE_ACCOUNTS = Bucket.of("", "serviceaccounts");
  private static final Bucket SECRETS = Bucket.of("", "secrets");

  private final Map<String, UserInfo> users;
  private final ServiceAccountTokens tokens;
  private final ResourceStore store;
  private final InstantSource clock;

  /**
   * @param users by token, without the group {@code system:authenticated}
   */
  public TokenAuthenticator(
      Map<String, UserInfo> users,
      ServiceAccountTokens tokens,
      ResourceStore store,
      InstantSource clock) {
    var authenticated = new LinkedHashMap<String, UserInfo>();
    users.forEach((token, user) -> authenticated.put(token, authenticated(user)));
    this.users = Map.copyOf(authenticated);
    this.tokens = tokens;
    this.store = store;
    this.clock = clock;
  }

  @Override
  public UserInfo authenticate(Credentials credentials) {
    if (credentials.bearerToken().isEmpty()) {
      return UserInfo.anonymous();
    }
    return userOf(credentials.bearerToken().get()).orElseThrow(ApiFailure::unauthorized);
  }

  /** Whose token it is; empty if it is good for nobody. */
  public Optional<UserInfo> userOf(String token) {
    UserInfo known = users.get(token);
    if (known != null) {
      return Optional.of(known);
    }
    return tokens
        .read(token, clock.instant())
        .filter(this::stillGood)
        .map(claims -> authenticated(claims.user()));
  }

  private boolean stillGood(ServiceAccountClaims claims) {
    boolean accountExists =
        store
            .get(
                new ObjectAddress(
                    SERVICE_ACCOUNTS, claims.cluster(), claims.namespace(), claims.name()))
            .filter(stored -> stored.object().uid().equals(claims.uid()))
            .isPresent();
    return accountExists
        && (claims.secretName().isEmpty()
            || store
                .get(
                    new ObjectAddress(
                        SECRETS, claims.cluster(), claims.namespace(), claims.secretName()))
                .isPresent());
  }

  private static UserInfo authenticated(UserInfo user) {
    if (user.groups().contains(UserInfo.AUTHENTICATED)) {
      return user;
    }
    List<String> groups = new ArrayList<>(user.groups());
    groups.add(UserInfo.AUTHENTICATED);
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }
}
