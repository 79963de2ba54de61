package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes the status of ValidatingAdmissionPolicies: which generation was looked at, and which
 * expressions do not fit the resources they are for.
 */
public final class PolicyStatusController implements Reconciler<ObjectKey> {
  private static final ResourceKey POLICIES =
      ResourceKey.of(PolicyIndex.GROUP, "validatingadmissionpolicies");

  private final ResourceStore store;
  private final PolicyTypeChecker checker;

  private PolicyStatusController(ResourceStore store, PolicyTypeChecker checker) {
    this.store = store;
    this.checker = checker;
  }

  /**
   * @param metadata the schema of every object's metadata
   */
  public static Controller<ObjectKey> start(
      ResourceStore store, ResourceCatalog catalog, Supplier<Map<String, Object>> metadata) {
    return Controller.start(
        "policy-status",
        store,
        List.of(EventSource.itself(POLICIES)),
        new PolicyStatusController(store, new PolicyTypeChecker(catalog, metadata)));
  }

  /** Throws {@link dev.mooring.sandbox.storage.StoreConflict} if the policy changed meanwhile. */
  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> stored =
        store.get(new StorageKey(POLICIES, key.cluster(), "", key.name()));
    if (stored.isPresent()) {
      KubeObject policy = stored.get().object();
      if (!Long.valueOf(policy.generation()).equals(policy.at("status", "observedGeneration"))) {
        store.update(stored.get(), policy.with(status(policy, key), "status"));
      }
    }
    return new Next.OnEvent();
  }

  private Map<String, Object> status(KubeObject policy, ObjectKey key) {
    List<Map<String, Object>> warnings = checker.warnings(policy, key.cluster());
    var status = new LinkedHashMap<>(policy.map("status"));
    status.put("observedGeneration", policy.generation());
    status.put(
        "typeChecking", warnings.isEmpty() ? Map.of() : Map.of("expressionWarnings", warnings));
    return status;
  }
}
