package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.SeenWrite;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ReadableStores;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks writes against the ValidatingAdmissionPolicies that bindings apply to them. For a bound
 * resource the provider's policies count, as with webhooks.
 */
public final class PolicyAdmission implements AdmissionPlugin.Validating, AutoCloseable {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final ResourceKey POLICIES = ResourceKey.of(GROUP, "validatingadmissionpolicies");
  private static final ResourceKey BINDINGS =
      ResourceKey.of(GROUP, "validatingadmissionpolicybindings");
  // Codes of the reasons that a validation may give; others are not accepted at write.
  private static final Map<String, Integer> CODES =
      Map.of("Unauthorized", 401, "Forbidden", 403, "RequestEntityTooLarge", 413, "Invalid", 422);

  private final ReadableStores stores;
  private final AdmissionContext contexts;
  private final PerClusterCache<List<Applied>> applied;

  private record Applied(ValidatingPolicy policy, PolicyBinding binding) {}

  public PolicyAdmission(ReadableStores stores, AdmissionContext contexts) {
    this.stores = stores;
    this.contexts = contexts;
    this.applied = new PerClusterCache<>(stores, List.of(POLICIES, BINDINGS), this::read);
  }

  @Override
  public String name() {
    return "ValidatingAdmissionPolicy";
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    for (Applied pair : applied.of(contexts.origin(request))) {
      violation(pair, request).ifPresent(found -> act(found, pair, request, warnings));
    }
  }

  private record Violation(String message, String reason) {}

  private Optional<Violation> violation(Applied pair, AdmissionRequest request) {
    ValidatingPolicy policy = pair.policy();
    MatchCriteria.MatchContext context = contexts.of(request);
    Optional<ResourceDefinition> seen = policy.constraints().match(request, context);
    if (seen.isEmpty() || !narrowedTo(pair.binding(), request, context)) {
      return Optional.empty();
    }
    var write = new SeenWrite(request, seen.get());
    if (!policy.conditions().isEmpty()) {
      switch (policy.conditions().evaluate(write.variables())) {
        case MatchConditions.Outcome.Differs() -> {
          return Optional.empty();
        }
        case MatchConditions.Outcome.Undecided(var problem) -> {
          return onFailure(policy, problem);
        }
        case MatchConditions.Outcome.Matches() -> {}
      }
    }
    Map<String, Object> values = policy.variables().values(write, contexts.namespace(request));
    for (Validation validation : policy.validations()) {
      switch (validation.evaluate(values)) {
        case Validation.Outcome.Holds() -> {}
        case Validation.Outcome.Violated(var message, var reason) -> {
          return Optional.of(new Violation(message, reason));
        }
        case Validation.Outcome.Undecided(var message) -> {
          Optional<Violation> failure = onFailure(policy, message);
          if (failure.isPresent()) {
            return failure;
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean narrowedTo(
      PolicyBinding binding, AdmissionRequest request, MatchCriteria.MatchContext context) {
    return binding
        .resources()
        .map(resources ->
            resources.rules().isEmpty()
                ? resources.selects(request, context)
                : resources.match(request, context).isPresent())
        .orElse(true);
  }

  private static Optional<Violation> onFailure(ValidatingPolicy policy, String message) {
    return switch (policy.failurePolicy()) {
      case FAIL -> Optional.of(new Violation(message, "Invalid"));
      case IGNORE -> Optional.empty();
    };
  }

  private static void act(
      Violation violation, Applied pair, AdmissionRequest request, Consumer<String> warnings) {
    if (pair.binding().actions().contains("Deny")) {
      throw refusal(violation, pair, request);
    }
    if (pair.binding().actions().contains("Warn")) {
      warnings.accept(
          "Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s"
              .formatted(pair.policy().name(), pair.binding().name(), violation.message()));
    }
  }

  private static ApiFailure refusal(Violation violation, Applied pair, AdmissionRequest request) {
    String message =
        "ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s"
            .formatted(pair.policy().name(), pair.binding().name(), violation.message());
    ResourceType type = request.definition().type();
    String name = new SeenWrite(request, request.definition()).name();
    var details = new LinkedHashMap<>(ApiFailure.details(type, name));
    details.put("causes", List.of(Map.of("message", message)));
    return ApiFailure.of(
        CODES.getOrDefault(violation.reason(), 422),
        violation.reason(),
        name.isEmpty()
            ? "%s is forbidden: %s".formatted(type.qualified(), message)
            : "%s \"%s\" is forbidden: %s".formatted(type.qualified(), name, message),
        details);
  }

  private List<Applied> read(LogicalCluster cluster) {
    var policies = new HashMap<String, ValidatingPolicy>();
    for (KubeObject policy : objects(POLICIES, cluster)) {
      policies.put(policy.name(), ValidatingPolicy.of(policy));
    }
    var pairs = new ArrayList<Applied>();
    for (KubeObject object : objects(BINDINGS, cluster)) {
      PolicyBinding binding = PolicyBinding.of(object);
      ValidatingPolicy policy = policies.get(binding.policy());
      if (policy != null) {
        pairs.add(new Applied(policy, binding));
      }
    }
    return List.copyOf(pairs);
  }

  private List<KubeObject> objects(ResourceKey resourceKey, LogicalCluster cluster) {
    return stores.of(cluster).list(ListScope.of(resourceKey, cluster)).objects();
  }

  @Override
  public void close() {
    applied.close();
  }
}
