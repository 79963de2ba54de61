package dev.mooring.sandbox.security.token;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.token.ServiceAccountClaims.Origin;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Whether a token that the server signed is still good (Kubernetes' pkg/serviceaccount). Of an
 * account on another shard only the time is known; that counts, as in kcp.
 *
 * @param uses receives each Secret whose token is used, once a day, and the day as {@code
 *     2026-11-26}; called by many threads
 */
public record ServiceAccountTokenValidator(
    ShardStores stores, InstantSource clock, BiConsumer<StorageKey, String> uses) {
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final ResourceKey SECRETS = ResourceKey.of("", "secrets");

  /** A label of a Secret, with the day on which its token was used last. */
  public static final String LAST_USED = "kubernetes.io/legacy-token-last-used";

  private static final String INVALIDATED = "service account token has been invalidated";
  private static final String INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
  // Clocks may differ; Kubernetes' library allows for so much.
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  /** Why a token is no longer good; empty if it is. */
  Optional<String> problem(ServiceAccountClaims claims, String token) {
    boolean own = stores.isOwn(claims.cluster());
    return switch (claims.origin()) {
      case Origin.Requested requested ->
          clock.instant().isAfter(requested.expiry().plus(LEEWAY))
              ? Optional.of("service account token has expired")
              : own ? problemOfRequested(claims, requested) : Optional.empty();
      case Origin.Kept kept -> own ? problemOfKept(claims, kept, token) : Optional.empty();
    };
  }

  private Optional<String> problemOfRequested(
      ServiceAccountClaims claims, Origin.Requested requested) {
    return problemOfAccount(claims, this::deleted)
        .or(() ->
            requested
                .secret()
                .filter(bound ->
                    find(SECRETS, claims, bound.name())
                        .filter(secret -> secret.uid().equals(bound.uid()) && !deleted(secret))
                        .isEmpty())
                .map(_ -> INVALIDATED));
  }

  private Optional<String> problemOfAccount(
      ServiceAccountClaims claims, Predicate<KubeObject> gone) {
    Optional<KubeObject> account = find(SERVICE_ACCOUNTS, claims, claims.name());
    if (account.isEmpty()) {
      return Optional.of("serviceaccount \"" + claims.name() + "\" not found");
    }
    if (!account.get().uid().equals(claims.uid())) {
      return Optional.of(
          "service account UID (%s) does not match claim (%s)"
              .formatted(account.get().uid(), claims.uid()));
    }
    return gone.test(account.get())
        ? Optional.of(
            "service account %s/%s has been deleted".formatted(claims.namespace(), claims.name()))
        : Optional.empty();
  }

  private Optional<String> problemOfKept(
      ServiceAccountClaims claims, Origin.Kept kept, String token) {
    Optional<KubeObject> secret = find(SECRETS, claims, kept.secretName());
    String encoded =
        Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.ISO_8859_1));
    if (secret.isEmpty()
        || secret.get().deleting()
        || !secret.get().text("data", "token").equals(encoded)) {
      return Optional.of(INVALIDATED);
    }
    Optional<String> problem = problemOfAccount(claims, _ -> false);
    if (problem.isPresent()) {
      return problem;
    }
    noteUse(
        secret.get(),
        new StorageKey(SECRETS, claims.cluster(), claims.namespace(), kept.secretName()));
    return secret.get().text("metadata", "labels", INVALID_SINCE).isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the token in secret %s/%s has the label %s"
                .formatted(claims.namespace(), kept.secretName(), INVALID_SINCE));
  }

  /** Once a day; the clocks of servers may differ by one. */
  private void noteUse(KubeObject secret, StorageKey key) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    String noted = secret.text("metadata", "labels", LAST_USED);
    if (!noted.equals(today.toString()) && !noted.equals(today.plusDays(1).toString())) {
      uses.accept(key, today.toString());
    }
  }

  /** An object that goes counts for a while as if it were there. */
  private boolean deleted(KubeObject object) {
    return object.deleting()
        && Instant.parse(object.text("metadata", "deletionTimestamp"))
            .isBefore(clock.instant().minus(LEEWAY));
  }

  private Optional<KubeObject> find(
      ResourceKey resource, ServiceAccountClaims claims, String name) {
    return stores
        .own()
        .get(new StorageKey(resource, claims.cluster(), claims.namespace(), name))
        .map(StoredObject::object);
  }
}
