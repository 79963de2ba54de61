package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Await;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Lock;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Update;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.UpdateStatus;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plans the life of an APIBinding: phase Binding, the label that shows it to the export's owner,
 * the locks of its resources, then its status; later, changes of its export.
 */
public final class BindingPlanner {
  public static final String UP_TO_DATE = "BindingUpToDate";
  public static final String INITIAL = "InitialBindingCompleted";
  public static final String CLAIMS_APPLIED = ClaimPlanner.APPLIED;

  /**
   * All that was read.
   *
   * @param export the export the binding refers to; empty if there is none
   * @param exportPath where it was looked for
   * @param reflexiveLabel the label key that makes the binding visible to the export's owner
   * @param schemas the export's schemas by name, as far as they exist
   * @param logicalCluster the LogicalCluster of the binding's own cluster
   * @param others names that other bindings and CRDs of the cluster serve
   * @param unserved resources of claims that are not applied yet, which no workspace serves
   * @param now RFC 3339
   */
  public record Facts(
      KubeObject binding,
      Optional<KubeObject> export,
      String exportPath,
      String reflexiveLabel,
      String reflexiveValue,
      Map<String, KubeObject> schemas,
      KubeObject logicalCluster,
      List<NamesInUse> others,
      Set<ClaimedResource> unserved,
      String now) {}

  private BindingPlanner() {}

  public static BindingStep next(Facts facts) {
    KubeObject binding = facts.binding;
    if (binding.text("status", "phase").isEmpty()) {
      return new UpdateStatus(
          Conditions.unmet(
                  binding,
                  INITIAL,
                  Severity.INFO,
                  "WaitingForEstablished",
                  "Waiting for API(s) to be established",
                  facts.now)
              .with("Binding", "status", "phase"),
          Set.of());
    }
    if (facts.export.isPresent() && !binding.labels().containsKey(facts.reflexiveLabel)) {
      return new Update(
          binding.with(facts.reflexiveValue, "metadata", "labels", facts.reflexiveLabel));
    }
    KubeObject locked = locked(facts);
    if (locked != facts.logicalCluster) {
      return new Lock(locked);
    }
    KubeObject after = bound(facts);
    ClaimPlanner.Applied claims =
        facts
            .export
            .map(export -> ClaimPlanner.apply(after, export, facts.unserved, facts.now))
            .orElseGet(() -> new ClaimPlanner.Applied(after, Set.of()));
    KubeObject summarized =
        isConflicting(facts)
            ? claims.binding()
            : Conditions.summarized(claims.binding(), INITIAL, facts.now);
    return summarized.equals(binding) && claims.relabel().isEmpty()
        ? new Await()
        : new UpdateStatus(summarized, claims.relabel());
  }

  private static KubeObject locked(Facts facts) {
    return isResolved(facts)
        ? ResourceLocks.taken(
            facts.logicalCluster,
            bySchema(facts).values().stream().map(BindingPlanner::qualified).toList(),
            facts.binding.name())
        : facts.logicalCluster;
  }

  private static boolean isResolved(Facts facts) {
    return facts.export.isPresent() && !identity(facts).isEmpty() && missing(facts).isEmpty();
  }

  /** Whether names of a resource are taken that is not another's: kcp says no more about it. */
  private static boolean isConflicting(Facts facts) {
    ResourceLocks locks = ResourceLocks.in(facts.logicalCluster);
    return isResolved(facts)
        && bySchema(facts).values().stream()
            .filter(schema ->
                locks.ownerOf(qualified(schema)).filter(facts.binding.name()::equals).isPresent())
            .anyMatch(schema -> conflict(facts, schema).isPresent());
  }

  private static KubeObject bound(Facts facts) {
    KubeObject binding = facts.binding;
    if (facts.export.isEmpty()) {
      String export = facts.exportPath + "|" + ExportReference.ofBinding(binding).name();
      return exportInvalid(facts, "APIExportNotFound", "APIExport " + export + " not found");
    }
    binding = withExportedClaims(binding, facts.export.get());
    if (identity(facts).isEmpty()) {
      return Conditions.unmet(
          binding,
          Conditions.EXPORT_VALID,
          Severity.WARNING,
          "MissingIdentityHash",
          "APIExport %s|%s is missing status.identityHash"
              .formatted(facts.exportPath, facts.export.get().name()),
          facts.now);
    }
    String provider = facts.export.get().logicalCluster().map(Object::toString).orElse("");
    binding = binding.with(provider, "status", "apiExportClusterName");
    List<String> missing = missing(facts);
    if (!missing.isEmpty()) {
      return Conditions.unmet(
          binding,
          Conditions.EXPORT_VALID,
          Severity.ERROR,
          "InternalError",
          "Invalid APIExport. Please contact the APIExport owner to resolve: APIResourceSchema"
              + " \""
              + missing.getFirst()
              + "\" not found",
          facts.now);
    }
    return withResources(facts, binding);
  }

  private static KubeObject withExportedClaims(KubeObject binding, KubeObject export) {
    List<Object> claims = export.list("spec", "permissionClaims");
    return claims.isEmpty()
        ? binding.without("status", "exportPermissionClaims")
        : binding.with(claims, "status", "exportPermissionClaims");
  }

  private static KubeObject withResources(Facts facts, KubeObject binding) {
    ResourceLocks locks = ResourceLocks.in(facts.logicalCluster);
    SequencedMap<String, String> skipped = new LinkedHashMap<>();
    KubeObject after = binding;
    for (KubeObject schema : bySchema(facts).values()) {
      String resource = qualified(schema);
      Optional<String> owner = locks.ownerOf(resource).filter(o -> !o.equals(binding.name()));
      if (owner.isPresent()) {
        skipped.put(resource, owner.get());
        continue;
      }
      Optional<String> conflict = conflict(facts, schema);
      if (conflict.isPresent()) {
        return blocked(after, "Unable to bind APIs: " + conflict.get(), facts.now);
      }
      after = withResource(facts, after, schema);
    }
    after = Conditions.met(after, Conditions.EXPORT_VALID, facts.now);
    if (!skipped.isEmpty()) {
      return blocked(
          after,
          "Unable to bind APIs because they are bound by other APIBindings or CRDs: "
              + ResourceLocks.described(skipped),
          facts.now);
    }
    after = Conditions.met(after, INITIAL, facts.now);
    after = Conditions.met(after, UP_TO_DATE, facts.now);
    return after.with("Bound", "status", "phase");
  }

  private static KubeObject blocked(KubeObject binding, String message, String now) {
    KubeObject after =
        Conditions.unmet(binding, UP_TO_DATE, Severity.ERROR, "NamingConflicts", message, now);
    return after.hasCondition(INITIAL)
        ? after
        : Conditions.unmet(after, INITIAL, Severity.ERROR, "NamingConflicts", message, now);
  }

  private static KubeObject exportInvalid(Facts facts, String reason, String message) {
    return Conditions.unmet(
        facts.binding, Conditions.EXPORT_VALID, Severity.ERROR, reason, message, facts.now);
  }

  private static KubeObject withResource(Facts facts, KubeObject binding, KubeObject schema) {
    String group = schema.text("spec", "group");
    String plural = schema.text("spec", "names", "plural");
    Set<Object> versions = new HashSet<>(List.of(storedVersion(schema)));
    var resources = new ArrayList<Map<String, Object>>();
    int position = -1;
    for (Object item : binding.list("status", "boundResources")) {
      Map<String, Object> present = Trees.mapOrEmpty(item);
      if (group.equals(present.get("group")) && plural.equals(present.get("resource"))) {
        versions.addAll(Trees.listOrEmpty(present.get("storageVersions")));
        position = resources.size();
      }
      resources.add(present);
    }
    var reference = new LinkedHashMap<String, Object>();
    reference.put("UID", schema.uid());
    reference.put("identityHash", identity(facts));
    reference.put("name", schema.name());
    var resource = new LinkedHashMap<String, Object>();
    resource.put("group", group);
    resource.put("resource", plural);
    resource.put("schema", reference);
    if (isStored(facts.export.orElseThrow(), group, plural)) {
      resource.put("storageVersions", versions.stream().map(Object::toString).sorted().toList());
    }
    if (position < 0) {
      resources.add(resource);
    } else {
      resources.set(position, resource);
    }
    return binding.with(resources, "status", "boundResources");
  }

  /** Whether the export gives the resource no virtual storage. */
  private static boolean isStored(KubeObject export, String group, String resource) {
    return export.list("spec", "resources").stream()
        .map(Trees::mapOrEmpty)
        .filter(it -> group.equals(it.get("group")) && resource.equals(it.get("name")))
        .allMatch(it -> Trees.at(it, "storage", "virtual") == null);
  }

  private static String storedVersion(KubeObject schema) {
    return schema.list("spec", "versions").stream()
        .filter(version -> Boolean.TRUE.equals(Trees.at(version, "storage")))
        .map(version -> Trees.text(version, "name"))
        .findFirst()
        .orElse("");
  }

  /** The export's schemas that exist, in the order of its resources. */
  private static SequencedMap<String, KubeObject> bySchema(Facts facts) {
    var schemas = new LinkedHashMap<String, KubeObject>();
    for (String name : wanted(facts)) {
      if (facts.schemas.containsKey(name)) {
        schemas.put(name, facts.schemas.get(name));
      }
    }
    return schemas;
  }

  private static List<String> missing(Facts facts) {
    return wanted(facts).stream().filter(name -> !facts.schemas.containsKey(name)).toList();
  }

  private static List<String> wanted(Facts facts) {
    return facts.export.map(ExportPlanner::schemaNames).orElse(List.of());
  }

  private static Optional<String> conflict(Facts facts, KubeObject schema) {
    return facts.others.stream()
        .map(other -> other.conflictWith(schema))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static String identity(Facts facts) {
    return facts.export.map(export -> export.text("status", "identityHash")).orElse("");
  }

  private static String qualified(KubeObject schema) {
    return schema.text("spec", "names", "plural") + "." + schema.text("spec", "group");
  }

  /**
   * A view of bound resources by {@code resource.group}; the value is the bound resource's tree.
   */
  public static Map<String, Map<String, Object>> boundResources(KubeObject binding) {
    var bound = new TreeMap<String, Map<String, Object>>();
    for (Object item : binding.list("status", "boundResources")) {
      Map<String, Object> resource = Trees.mapOrEmpty(item);
      bound.put(resource.get("resource") + "." + resource.get("group"), resource);
    }
    return bound;
  }
}
