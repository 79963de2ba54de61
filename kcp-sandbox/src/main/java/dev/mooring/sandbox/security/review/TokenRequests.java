package dev.mooring.sandbox.security.review;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ComputedResource;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.security.token.ServiceAccountClaims;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The subresource {@code token} of service accounts: a token that expires.
 *
 * @param ids a new UUID each time
 */
public record TokenRequests(
    ResourceStore store, ServiceAccountTokens tokens, Supplier<String> ids, InstantSource clock)
    implements ComputedResource {
  private static final ResourceType REQUESTS =
      new ResourceType("authentication.k8s.io", "v1", "tokenrequests");
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final Duration DEFAULT_VALIDITY = Duration.ofHours(1);
  private static final long VALIDITY_SECONDS_MIN = 10 * 60;
  private static final long VALIDITY_SECONDS_MAX = 1L << 32;

  @Override
  public KubeObject create(String name, KubeObject body, WriteContext context) {
    KubeObject account =
        store
            .get(new StorageKey(SERVICE_ACCOUNTS, context.cluster(), context.namespace(), name))
            .map(StoredObject::object)
            .orElseThrow(() -> ApiFailure.notFound(ResourceType.core("serviceaccounts"), name));
    long seconds =
        body.at("spec", "expirationSeconds") instanceof Long asked
            ? asked
            : DEFAULT_VALIDITY.toSeconds();
    requireValidity(seconds);
    List<String> audiences = Trees.texts(body.at("spec", "audiences"));
    if (audiences.isEmpty()) {
      audiences = List.of(tokens.issuer());
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    var claims =
        new ServiceAccountClaims(
            context.cluster(),
            context.namespace(),
            name,
            account.uid(),
            "",
            ids.get(),
            audiences,
            Optional.of(now.plusSeconds(seconds)));
    return answer(account, claims, seconds, now);
  }

  private KubeObject answer(
      KubeObject account, ServiceAccountClaims claims, long seconds, Instant now) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("audiences", claims.audiences());
    spec.put("expirationSeconds", seconds);
    spec.put("boundObjectRef", null);
    return KubeObject.of(REQUESTS, "TokenRequest", account.namespace(), account.name())
        .with(account.uid(), "metadata", "uid")
        .with(now.toString(), "metadata", "creationTimestamp")
        .with(spec, "spec")
        .with(tokens.sign(claims, now), "status", "token")
        .with(now.plusSeconds(seconds).toString(), "status", "expirationTimestamp");
  }

  private static void requireValidity(long seconds) {
    String field = "spec.expirationSeconds";
    if (seconds < VALIDITY_SECONDS_MIN) {
      throw invalid(
          FieldError.invalid(field, seconds, "may not specify a duration less than 10 minutes"));
    }
    if (seconds > VALIDITY_SECONDS_MAX) {
      throw invalid(
          FieldError.invalid(
              field, seconds, "may not specify a duration larger than 2^32 seconds"));
    }
  }

  private static ApiFailure invalid(FieldError error) {
    return ApiFailure.invalid("authentication.k8s.io", "TokenRequest", "", List.of(error));
  }
}
