package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Await;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Lock;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.Update;
import dev.mooring.sandbox.kcp.binding.decide.BindingStep.UpdateStatus;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.decide.Condition;
import dev.mooring.sandbox.kcp.object.decide.Condition.Severity;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
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
 * Takes an APIBinding from its creation to Bound and keeps it in step with its export: first phase
 * Binding, then the label that shows the binding to the export's owner, then the resources' locks,
 * then everything that the status says.
 */
public final class BindingPlanner {
  public static final String UP_TO_DATE = "BindingUpToDate";
  public static final String INITIAL = "InitialBindingCompleted";

  /**
   * All that was read.
   *
   * @param export the export the binding refers to; empty if there is none
   * @param exportPath where it was looked for
   * @param reflexiveLabel the label key that makes the binding visible to the export's owner
   * @param schemas the export's schemas by name, as far as they exist
   * @param logicalCluster the LogicalCluster of the binding's own cluster
   * @param others names that other bindings and CRDs of the cluster serve
   * @param now RFC 3339
   */
  public record Seen(
      KubeObject binding,
      Optional<KubeObject> export,
      String exportPath,
      String reflexiveLabel,
      String reflexiveValue,
      Map<String, KubeObject> schemas,
      KubeObject logicalCluster,
      List<NamesInUse> others,
      String now) {}

  private BindingPlanner() {}

  public static BindingStep next(Seen seen) {
    KubeObject binding = seen.binding;
    if (binding.text("status", "phase").isEmpty()) {
      return new UpdateStatus(
          Conditions.with(
                  binding,
                  Condition.unmet(
                      INITIAL,
                      Severity.INFO,
                      "WaitingForEstablished",
                      "Waiting for API(s) to be established",
                      seen.now))
              .with("Binding", "status", "phase"),
          Set.of());
    }
    if (seen.export.isPresent() && !binding.labels().containsKey(seen.reflexiveLabel)) {
      return new Update(
          binding.with(seen.reflexiveValue, "metadata", "labels", seen.reflexiveLabel));
    }
    KubeObject locked = locked(seen);
    if (locked != seen.logicalCluster) {
      return new Lock(locked);
    }
    KubeObject after = bound(seen);
    ClaimPlanner.Applied claims =
        seen.export
            .map(export -> ClaimPlanner.apply(after, export, seen.now))
            .orElseGet(() -> new ClaimPlanner.Applied(after, Set.of()));
    KubeObject summarized = Conditions.summarized(claims.binding(), INITIAL, seen.now);
    return summarized.equals(binding) && claims.relabel().isEmpty()
        ? new Await()
        : new UpdateStatus(summarized, claims.relabel());
  }

  private static KubeObject locked(Seen seen) {
    if (seen.export.isEmpty() || identity(seen).isEmpty() || !missing(seen).isEmpty()) {
      return seen.logicalCluster;
    }
    List<String> wanted = new ArrayList<>();
    for (KubeObject schema : bySchema(seen).values()) {
      // A name taken by a CRD is not locked: whoever resolves the conflict first gets it.
      if (conflict(seen, schema).isEmpty()) {
        wanted.add(qualified(schema));
      }
    }
    return ResourceLocks.taken(seen.logicalCluster, wanted, seen.binding.name());
  }

  private static KubeObject bound(Seen seen) {
    KubeObject binding = seen.binding;
    if (seen.export.isEmpty()) {
      String export = seen.exportPath + "|" + ExportReference.ofBinding(binding).name();
      return exportInvalid(seen, "APIExportNotFound", "APIExport " + export + " not found");
    }
    binding = withExportedClaims(binding, seen.export.get());
    if (identity(seen).isEmpty()) {
      return Conditions.with(
          binding,
          Condition.unmet(
              Conditions.EXPORT_VALID,
              Severity.WARNING,
              "MissingIdentityHash",
              "APIExport "
                  + seen.exportPath
                  + "|"
                  + seen.export.get().name()
                  + " is missing status.identityHash",
              seen.now));
    }
    String provider = seen.export.get().logicalCluster().map(Object::toString).orElse("");
    binding = binding.with(provider, "status", "apiExportClusterName");
    List<String> missing = missing(seen);
    if (!missing.isEmpty()) {
      return Conditions.with(
          binding,
          Condition.unmet(
              Conditions.EXPORT_VALID,
              Severity.ERROR,
              "InternalError",
              "Invalid APIExport. Please contact the APIExport owner to resolve: APIResourceSchema"
                  + " \""
                  + missing.getFirst()
                  + "\" not found",
              seen.now));
    }
    return withResources(seen, binding);
  }

  private static KubeObject withExportedClaims(KubeObject binding, KubeObject export) {
    List<Object> claims = export.list("spec", "permissionClaims");
    return claims.isEmpty()
        ? binding.without("status", "exportPermissionClaims")
        : binding.with(claims, "status", "exportPermissionClaims");
  }

  private static KubeObject withResources(Seen seen, KubeObject binding) {
    ResourceLocks locks = ResourceLocks.in(seen.logicalCluster);
    SequencedMap<String, String> skipped = new LinkedHashMap<>();
    KubeObject after = binding;
    for (KubeObject schema : bySchema(seen).values()) {
      String resource = qualified(schema);
      Optional<String> owner = locks.ownerOf(resource).filter(o -> !o.equals(binding.name()));
      if (owner.isPresent()) {
        skipped.put(resource, owner.get());
        continue;
      }
      Optional<String> conflict = conflict(seen, schema);
      if (conflict.isPresent()) {
        return blocked(after, "Unable to bind APIs: " + conflict.get(), seen.now);
      }
      after = withResource(after, schema, identity(seen));
    }
    after = Conditions.with(after, Condition.met(Conditions.EXPORT_VALID, seen.now));
    if (!skipped.isEmpty()) {
      return blocked(
          after,
          "Unable to bind APIs because they are bound by other APIBindings or CRDs: "
              + ResourceLocks.described(skipped),
          seen.now);
    }
    after = Conditions.with(after, Condition.met(INITIAL, seen.now));
    after = Conditions.with(after, Condition.met(UP_TO_DATE, seen.now));
    return after.with("Bound", "status", "phase");
  }

  private static KubeObject blocked(KubeObject binding, String message, String now) {
    KubeObject after =
        Conditions.with(
            binding, Condition.unmet(UP_TO_DATE, Severity.ERROR, "NamingConflicts", message, now));
    return Conditions.isTrue(after, INITIAL)
        ? after
        : Conditions.with(
            after, Condition.unmet(INITIAL, Severity.ERROR, "NamingConflicts", message, now));
  }

  private static KubeObject exportInvalid(Seen seen, String reason, String message) {
    return Conditions.with(
        seen.binding,
        Condition.unmet(Conditions.EXPORT_VALID, Severity.ERROR, reason, message, seen.now));
  }

  private static KubeObject withResource(KubeObject binding, KubeObject schema, String identity) {
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
    reference.put("identityHash", identity);
    reference.put("name", schema.name());
    var resource = new LinkedHashMap<String, Object>();
    resource.put("group", group);
    resource.put("resource", plural);
    resource.put("schema", reference);
    resource.put("storageVersions", versions.stream().map(Object::toString).sorted().toList());
    if (position < 0) {
      resources.add(resource);
    } else {
      resources.set(position, resource);
    }
    return binding.with(resources, "status", "boundResources");
  }

  private static String storedVersion(KubeObject schema) {
    return schema.list("spec", "versions").stream()
        .filter(version -> Boolean.TRUE.equals(Trees.at(version, "storage")))
        .map(version -> Trees.textOrEmpty(Trees.at(version, "name")))
        .findFirst()
        .orElse("");
  }

  /** The export's schemas that exist, in the order of its resources. */
  private static SequencedMap<String, KubeObject> bySchema(Seen seen) {
    var schemas = new LinkedHashMap<String, KubeObject>();
    for (String name : wanted(seen)) {
      if (seen.schemas.containsKey(name)) {
        schemas.put(name, seen.schemas.get(name));
      }
    }
    return schemas;
  }

  private static List<String> missing(Seen seen) {
    return wanted(seen).stream().filter(name -> !seen.schemas.containsKey(name)).toList();
  }

  private static List<String> wanted(Seen seen) {
    return seen.export.map(ExportPlanner::schemaNames).orElse(List.of());
  }

  private static Optional<String> conflict(Seen seen, KubeObject schema) {
    return seen.others.stream()
        .map(other -> other.conflictWith(schema))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static String identity(Seen seen) {
    return seen.export.map(export -> export.text("status", "identityHash")).orElse("");
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
