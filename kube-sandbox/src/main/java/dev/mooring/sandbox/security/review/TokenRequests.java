package dev.mooring.sandbox.security.review;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.builtin.typed.GoTypes;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The subresource {@code token} of service accounts: a token that expires.
 *
 * @param ids a new UUID each time
 */
public record TokenRequests(
    ResourceStore store, ServiceAccountTokens tokens, Supplier<String> ids, InstantSource clock)
    implements ResourceDefinition.Computation {
  private static final String GROUP = "authentication.k8s.io";
  private static final String KIND = "TokenRequest";
  private static final ResourceKey SERVICE_ACCOUNTS = ResourceKey.of("", "serviceaccounts");
  private static final ResourceKey SECRETS = ResourceKey.of("", "secrets");

  /** Kinds that tokens can be bound to and of which there are no objects. */
  private static final Map<String, String> RUNNING = Map.of("Pod", "pods", "Node", "nodes");

  private static final Duration DEFAULT_VALIDITY = Duration.ofHours(1);
  private static final long VALIDITY_SECONDS_MIN = 10 * 60;
  private static final long VALIDITY_SECONDS_MAX = 1L << 32;

  /** What is posted, and answered with the token. */
  public ResourceDefinition definition(GoTypes types) {
    return ReviewResources.definition(types, GROUP, KIND, Scope.NAMESPACED, this)
        .strategy(
            new ResourceStrategy() {
              @Override
              public KubeObject applyDefaults(KubeObject request) {
                return request.at("spec", "expirationSeconds") == null
                    ? request.with(DEFAULT_VALIDITY.toSeconds(), "spec", "expirationSeconds")
                    : request;
              }
            })
        .build();
  }

  @Override
  public KubeObject create(String name, KubeObject request, WriteContext context) {
    if (!request.name().isEmpty() && !request.name().equals(name)) {
      throw invalid(name, "metadata.name", request.name(), "must be the service account's name");
    }
    KubeObject account =
        find(SERVICE_ACCOUNTS, context, name)
            .orElseThrow(() -> ApiFailure.notFound(ResourceType.core("serviceaccounts"), name));
    if (!request.uid().isEmpty() && !request.uid().equals(account.uid())) {
      throw ApiFailure.conflict(
          new ResourceType(GROUP, "v1", KIND),
          name,
          "the UID in the token request (%s) does not match the UID of the service account (%s)"
              .formatted(request.uid(), account.uid()));
    }
    KubeObject defaulted = defaulted(request);
    long seconds =
        defaulted.at("spec", "expirationSeconds") instanceof Long asked
            ? asked
            : DEFAULT_VALIDITY.toSeconds();
    requireValidity(seconds);
    Instant now = clock.instant();
    var origin =
        new ServiceAccountClaims.Origin.Requested(
            ids.get(),
            Trees.texts(defaulted.at("spec", "audiences")),
            now.plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS),
            boundSecret(defaulted, context));
    var claims =
        new ServiceAccountClaims(
            context.cluster(), context.namespace(), name, account.uid(), origin);
    return defaulted
        .with(name, "metadata", "name")
        .with(account.uid(), "metadata", "uid")
        .with(now.truncatedTo(ChronoUnit.SECONDS).toString(), "metadata", "creationTimestamp")
        .without("status")
        .with(tokens.sign(claims, now), "status", "token")
        .with(origin.expiry().toString(), "status", "expirationTimestamp");
  }

  private KubeObject defaulted(KubeObject request) {
    List<Object> audiences = request.list("spec", "audiences");
    return request.with(
        Trees.ordered(
            "audiences", audiences.isEmpty() ? List.of(tokens.issuer()) : audiences,
            "expirationSeconds", request.at("spec", "expirationSeconds"),
            "boundObjectRef", request.at("spec", "boundObjectRef")),
        "spec");
  }

  private static void requireValidity(long seconds) {
    if (seconds < VALIDITY_SECONDS_MIN || seconds > VALIDITY_SECONDS_MAX) {
      throw invalid(
          "", "spec.expirationSeconds", seconds, "must be between 10 minutes and 2^32 seconds");
    }
  }

  private static ApiFailure invalid(String name, String field, Object value, String detail) {
    return ApiFailure.invalid(GROUP, KIND, name, List.of(FieldError.invalid(field, value, detail)));
  }

  private Optional<ServiceAccountClaims.Reference> boundSecret(
      KubeObject request, WriteContext context) {
    Object reference = request.at("spec", "boundObjectRef");
    if (reference == null) {
      return Optional.empty();
    }
    String apiVersion = Trees.text(reference, "apiVersion");
    String kind = Trees.text(reference, "kind");
    String name = Trees.text(reference, "name");
    boolean core = apiVersion.indexOf('/') < 0;
    if (core && RUNNING.containsKey(kind)) {
      throw ApiFailure.notFound(ResourceType.core(RUNNING.get(kind)), name);
    }
    if (!core || !kind.equals("Secret")) {
      throw ApiFailure.badRequest(
          "cannot bind token to object of type %s%s, Kind=%s"
              .formatted(core ? "/" : "", apiVersion, kind));
    }
    if (name.isEmpty()) {
      throw ApiFailure.badRequest("Name parameter required.");
    }
    KubeObject secret =
        find(SECRETS, context, name)
            .orElseThrow(() -> ApiFailure.notFound(ResourceType.core("secrets"), name));
    String uid = Trees.text(reference, "uid");
    if (!uid.isEmpty() && !uid.equals(secret.uid())) {
      throw ApiFailure.conflict(
          ResourceType.core(kind),
          name,
          ("the UID in the bound object reference (%s) does not match the UID in record. The"
                  + " object might have been deleted and then recreated")
              .formatted(uid));
    }
    return Optional.of(new ServiceAccountClaims.Reference(name, secret.uid()));
  }

  private Optional<KubeObject> find(ResourceKey resource, WriteContext context, String name) {
    return store
        .get(new StorageKey(resource, context.cluster(), context.namespace(), name))
        .map(StoredObject::object);
  }
}
