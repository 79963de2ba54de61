package dev.mooring.sandbox.quota;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Refuses to create more objects than the ResourceQuotas of their namespace or workspace allow. The
 * last to be asked: what is let through is counted in the quota's status before it is stored, so
 * that creates at the same time see each other. {@link QuotaController} puts right what was counted
 * and then not stored. Modelled on Kubernetes' {@code plugin/resourcequota}.
 */
public record QuotaAdmission(ResourceStore store, Counting counting)
    implements AdmissionPlugin.Validating {
  /** Creates at the same time take turns at the quota; this many turns do for any burst here. */
  private static final int ATTEMPTS_MAX = 100;

  @Override
  public String name() {
    return "ResourceQuota";
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    if (request.operation() != Operation.CREATE || !request.subresource().isEmpty()) {
      return;
    }
    String namespace = request.namespace();
    // Any namespace's quota may limit what has no namespace.
    quotas(request, namespace)
        .filter(quota -> !namespace.isEmpty() || !isWorkspaceWide(quota))
        .forEach(quota -> count(quota, request));
    if (!namespace.equals(QuotaLimits.WORKSPACE_NAMESPACE)) {
      quotas(request, QuotaLimits.WORKSPACE_NAMESPACE)
          .filter(QuotaAdmission::isWorkspaceWide)
          .forEach(quota -> count(quota, request));
    }
  }

  private Stream<StoredObject> quotas(AdmissionRequest request, String namespace) {
    ListScope scope = ListScope.of(QuotaController.QUOTAS, request.cluster(), namespace);
    // Most namespaces have none.
    return store.count(scope) > 0 ? store.list(scope).items().stream() : Stream.empty();
  }

  private static boolean isWorkspaceWide(StoredObject quota) {
    return QuotaLimits.isWorkspaceWide(quota.key().objectKey(), quota.object());
  }

  private void count(StoredObject first, AdmissionRequest request) {
    StoredObject quota = first;
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      Map<String, Long> used = counted(quota, request);
      if (used.isEmpty() || request.effect() == Effect.DRY_RUN) {
        return;
      }
      try {
        store.update(quota, QuotaController.with(quota.object(), used));
        return;
      } catch (StoreConflict raced) {
        var now = store.get(quota.key());
        if (now.isEmpty()) {
          return;
        }
        quota = now.get();
      }
    }
    throw ApiFailure.conflict(
        ResourceType.core("resourcequotas"),
        quota.key().name(),
        "too many objects are created at the same time; please try again");
  }

  /** The new use of what the quota limits of this resource; throws {@link ApiFailure} 403. */
  private Map<String, Long> counted(StoredObject quota, AdmissionRequest request) {
    ResourceType type = request.definition().type();
    Map<String, String> hard = QuotaLimits.hard(quota.object());
    List<String> limited =
        QuotaLimits.of(counting).names(type).stream().filter(hard::containsKey).toList();
    if (limited.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> known = QuotaController.used(quota.object());
    var before = new TreeMap<String, Long>();
    for (String name : limited) {
      // A recount between a create's being counted and its being stored forgets it for a moment.
      long there =
          QuotaController.objects(
              store,
              request.definition(),
              request.cluster(),
              isWorkspaceWide(quota) ? "" : quota.key().namespace());
      before.put(name, Math.max(known.getOrDefault(name, 0L), there));
    }
    List<String> exceeded =
        limited.stream()
            .filter(name ->
                QuotaLimits.exceeded(
                    hard.getOrDefault(name, ""), before.getOrDefault(name, 0L) + 1))
            .sorted()
            .toList();
    if (!exceeded.isEmpty()) {
      throw ApiFailure.forbidden(
          type,
          request.object().map(KubeObject::name).orElse(request.name()),
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  quota.key().name(),
                  listed(exceeded, Map.of(), 1),
                  listed(exceeded, before, 0),
                  exceeded.stream()
                      .map(name -> name + "=" + hard.get(name))
                      .collect(Collectors.joining(","))));
    }
    before.replaceAll((name, count) -> count + 1);
    return before;
  }

  private static String listed(List<String> names, Map<String, Long> counts, long otherwise) {
    return names.stream()
        .map(name -> name + "=" + counts.getOrDefault(name, otherwise))
        .collect(Collectors.joining(","));
  }
}
