package dev.mooring.sandbox.security.token;

import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ReadableStores;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows administrators and the users of the token file by token, and service accounts. A service
 * account's token is good for the audiences that it names, every other one for the server's own.
 */
public final class TokenAuthenticator {
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final ResourceKey SECRETS = ResourceKey.of("", "secrets");

  private final String audience;
  private final Map<String, UserInfo> users;
  private final ServiceAccountTokens tokens;
  private final ReadableStores stores;
  private final InstantSource clock;

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
      ReadableStores stores,
      InstantSource clock) {
    this.audience = audience;
    var authenticated = new LinkedHashMap<String, UserInfo>();
    users.forEach((token, user) -> authenticated.put(token, user.authenticated()));
    this.users = Map.copyOf(authenticated);
    this.tokens = tokens;
    this.stores = stores;
    this.clock = clock;
  }

  /** Whose token it is; empty if it is not good for this server. */
  public Optional<UserInfo> userOf(String token) {
    return switch (review(token, List.of())) {
      case Outcome.Valid valid -> Optional.of(valid.user());
      case Outcome.Invalid _ -> Optional.empty();
    };
  }

  /**
   * Whose token it is, and for whom.
   *
   * @param asked the audiences of which the token must name one; if empty, the server's own
   */
  public Outcome review(String token, List<String> asked) {
    List<String> targets = asked.isEmpty() ? List.of(audience) : asked;
    UserInfo known = users.get(token);
    if (known != null) {
      return targets.contains(audience)
          ? new Outcome.Valid(known, List.of(audience))
          : new Outcome.Invalid("invalid bearer token");
    }
    Optional<ServiceAccountClaims> claims =
        tokens.read(token, clock.instant()).filter(this::stillGood);
    if (claims.isEmpty()) {
      return new Outcome.Invalid("invalid bearer token");
    }
    List<String> named =
        claims.get().audiences().isEmpty() ? List.of(audience) : claims.get().audiences();
    List<String> good = targets.stream().filter(named::contains).toList();
    return good.isEmpty()
        ? new Outcome.Invalid(
            "[invalid bearer token, token audiences %s is invalid for the target audiences %s]"
                .formatted(GoText.quoted(named), GoText.quoted(targets)))
        : new Outcome.Valid(claims.get().user().authenticated(), good);
  }

  /** Of an account on another shard only the signature is known; that counts, as in kcp. */
  private boolean stillGood(ServiceAccountClaims claims) {
    if (!stores.isOwn(claims.cluster())) {
      return true;
    }
    ResourceStore store = stores.own();
    boolean accountExists =
        store
            .get(
                new StorageKey(
                    SERVICE_ACCOUNTS, claims.cluster(), claims.namespace(), claims.name()))
            .filter(stored -> stored.object().uid().equals(claims.uid()))
            .isPresent();
    return accountExists
        && (claims.secretName().isEmpty()
            || store
                .get(
                    new StorageKey(
                        SECRETS, claims.cluster(), claims.namespace(), claims.secretName()))
                .isPresent());
  }
}
