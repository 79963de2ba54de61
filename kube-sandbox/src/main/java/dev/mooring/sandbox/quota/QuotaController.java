package dev.mooring.sandbox.quota;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Keeps the statuses of ResourceQuotas: the limits, and how many objects there are. Looks at each
 * quota every second as long as it exists, for objects that go make no event here.
 */
public final class QuotaController implements Reconciler<ObjectKey> {
  static final ResourceKey QUOTAS = ResourceKey.of("", "resourcequotas");
  private static final Pattern WHOLE = Pattern.compile("\\d{1,18}");
  private static final Duration RECOUNT = Duration.ofSeconds(1);

  private final ResourceStore store;
  private final ResourceCatalog catalog;
  private final QuotaLimits limits;

  private QuotaController(ResourceStore store, ResourceCatalog catalog, QuotaLimits limits) {
    this.store = store;
    this.catalog = catalog;
    this.limits = limits;
  }

  public static Controller<ObjectKey> start(
      ResourceStore store, ResourceCatalog catalog, Counting counting) {
    return Controller.start(
        "resourcequotas",
        store,
        List.of(EventSource.itself(QUOTAS)),
        new QuotaController(store, catalog, QuotaLimits.of(counting)));
  }

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> quota =
        store.get(new StorageKey(QUOTAS, key.cluster(), key.namespace(), key.name()));
    if (quota.isEmpty() || quota.get().object().deleting()) {
      return new Next.OnEvent();
    }
    KubeObject object = quota.get().object();
    if (object.map("spec", "hard").isEmpty()) {
      return new Next.OnEvent();
    }
    Map<String, Long> used = counted(object, key);
    KubeObject after =
        with(
            object.with(object.map("spec", "hard"), "status", "hard").without("status", "used"),
            used);
    if (!after.equals(object)) {
      store.update(quota.get(), after);
    }
    return used.isEmpty() ? new Next.OnEvent() : new Next.After(RECOUNT);
  }

  /** Names of resources that are not served are left out, as in Kubernetes. */
  private Map<String, Long> counted(KubeObject quota, ObjectKey key) {
    Map<String, String> hard = QuotaLimits.hard(quota);
    Map<String, Long> known = used(quota);
    String namespace = QuotaLimits.isWorkspaceWide(key, quota) ? "" : key.namespace();
    var used = new TreeMap<String, Long>();
    for (String name : hard.keySet()) {
      catalog.versions(key.cluster(), QuotaLimits.counted(name)).stream()
          .filter(definition -> limits.names(definition.type()).contains(name))
          .findFirst()
          .ifPresent(definition ->
              used.put(
                  name,
                  definition.namespaced() || namespace.isEmpty()
                      ? objects(store, definition, key.cluster(), namespace)
                      : known.getOrDefault(name, 0L)));
    }
    return used;
  }

  /**
   * None of those without a namespace is in one.
   *
   * @param in the namespace; empty for all
   */
  static long objects(
      ResourceStore store, ResourceDefinition definition, LogicalCluster cluster, String in) {
    return definition.namespaced() || in.isEmpty()
        ? store.count(ListScope.of(definition.resourceKey(), cluster, in))
        : 0;
  }

  static Map<String, Long> used(KubeObject quota) {
    var used = new TreeMap<String, Long>();
    quota
        .map("status", "used")
        .forEach((name, count) -> {
          String text = Trees.textOrEmpty(count);
          // A status that a user wrote may say anything; what is no number is counted again.
          if (WHOLE.matcher(text).matches()) {
            used.put(name, Long.parseLong(text));
          }
        });
    return used;
  }

  static KubeObject with(KubeObject quota, Map<String, Long> changed) {
    var used = new LinkedHashMap<>(quota.map("status", "used"));
    changed.forEach((name, count) -> used.put(name, Long.toString(count)));
    if (used.isEmpty()) {
      return quota;
    }
    return quota.with(Trees.freezeMap(used), "status", "used");
  }
}
