package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.binding.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.LogicalClusterReconciler;
import dev.mooring.sandbox.kcp.workspace.LogicalClusterReconciler.Progress;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes.Answer;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Binds a new workspace to the exports that its type, and the types it extends, name, and accepts
 * all that these exports claim.
 */
public record DefaultBindings(
    LoopbackClient objects, LogicalClusters clusters, ExportResolver exports, WorkspaceTypes types)
    implements LogicalClusterReconciler.Initializer {
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private static final String PROPOSED = "defaultSelector";

  /** Such as a change of a binding. */
  private static final Next ON_EVENT = new Next.OnEvent();

  /** Types and exports that are missing may yet come; they are not watched for this. */
  private static final Next LATER = new Next.After(Duration.ofMillis(500));

  @Override
  public Progress ensure(KubeObject logicalCluster, LogicalCluster cluster) {
    return switch (typesOf(logicalCluster)) {
      case Answer.Refused<List<KubeObject>>(String message) ->
          waiting(logicalCluster, Severity.ERROR, "WorkspaceTypesInvalid", message, LATER);
      case Answer.Known<List<KubeObject>>(List<KubeObject> all) ->
          bind(WorkspaceTypes.defaultBindings(all), logicalCluster, cluster);
    };
  }

  private Answer<List<KubeObject>> typesOf(KubeObject logicalCluster) {
    TypeReference reference =
        TypeReference.parse(logicalCluster.annotation(KcpNames.TYPE).orElseThrow());
    Optional<KubeObject> type = types.find(reference);
    if (type.isEmpty()) {
      return new Answer.Refused<>(
          "error getting WorkspaceType %s|%s: workspacetypes.tenancy.kcp.io \"%s\" not found"
              .formatted(reference.path(), reference.name(), reference));
    }
    return switch (types.withExtended(type.get())) {
      case Answer.Known<List<KubeObject>> known -> known;
      case Answer.Refused<List<KubeObject>>(String message) ->
          new Answer.Refused<>("error resolving transitive set of workspace types: " + message);
    };
  }

  private Progress bind(
      List<ExportReference> wanted, KubeObject logicalCluster, LogicalCluster cluster) {
    var incomplete = new TreeSet<String>();
    boolean missing = false;
    for (ExportReference reference : wanted) {
      Optional<KubeObject> export = exports.export(reference, cluster);
      Optional<StoredObject> binding = existing(reference, cluster);
      if (export.isEmpty()) {
        missing = true;
      } else if (binding.isEmpty()) {
        objects.ensure(KcpResources.BINDINGS, cluster, binding(reference, export.get(), cluster));
        incomplete.add("for APIExport " + reference.path() + "|" + reference.name());
      } else {
        unfinished(binding.get().object()).ifPresent(incomplete::add);
      }
    }
    if (missing) {
      return waiting(
          logicalCluster,
          Severity.ERROR,
          "APIBindingErrors",
          "encountered errors: unable to complete initialization: unable to find at least 1"
              + " APIExport",
          LATER);
    }
    return incomplete.isEmpty()
        ? new Progress.Complete()
        : waiting(
            logicalCluster,
            Severity.INFO,
            "WaitingOnAPIBindings",
            "APIBinding(s) not yet fully bound: " + String.join(", ", incomplete),
            ON_EVENT);
  }

  /** Whether the bindings of workspaces of the type are kept up to date. */
  public static boolean areMaintained(KubeObject type) {
    return type.text("spec", "defaultAPIBindingLifecycle").equals("Maintain");
  }

  /** Restores the bindings that are maintained: called when types or exports change. */
  public Next maintain(LogicalCluster cluster) {
    clusters
        .object(cluster)
        .map(StoredObject::object)
        .filter(object -> object.annotation(KcpNames.TYPE).isPresent() && !object.deleting())
        .map(this::typesOf)
        .ifPresent(types -> {
          if (types instanceof Answer.Known<List<KubeObject>>(List<KubeObject> all)) {
            maintain(all.stream().filter(DefaultBindings::areMaintained).toList(), cluster);
          }
        });
    return ON_EVENT;
  }

  private void maintain(List<KubeObject> maintained, LogicalCluster cluster) {
    for (ExportReference reference : WorkspaceTypes.defaultBindings(maintained)) {
      exports
          .export(reference, cluster)
          .ifPresent(
              export -> apply(withoutProposals(binding(reference, export, cluster)), cluster));
    }
  }

  private void apply(KubeObject wanted, LogicalCluster cluster) {
    Optional<StoredObject> read = objects.get(KcpResources.BINDINGS, cluster, wanted.name());
    if (read.isEmpty()) {
      objects.ensure(KcpResources.BINDINGS, cluster, wanted);
      return;
    }
    KubeObject binding = read.get().object();
    if (!binding.deleting() && !binding.map("spec").equals(wanted.map("spec"))) {
      objects.update(read.get(), binding.with(wanted.map("spec"), "spec"));
    }
  }

  private Progress waiting(
      KubeObject logicalCluster, Severity severity, String reason, String message, Next next) {
    return new Progress.Waiting(
        Conditions.unmet(
            logicalCluster,
            LogicalClusterReconciler.BINDINGS_INITIALIZED,
            severity,
            reason,
            message,
            objects.now()),
        next);
  }

  private static Optional<String> unfinished(KubeObject binding) {
    if (!binding.hasCondition(BindingPlanner.INITIAL)) {
      return Optional.of(binding.name());
    }
    boolean claims =
        PermissionClaim.ofBinding(binding).stream().anyMatch(PermissionClaim::accepted);
    return claims && !binding.hasCondition(BindingPlanner.CLAIMS_APPLIED)
        ? Optional.of(binding.name() + " waiting for permission claims to be applied")
        : Optional.empty();
  }

  private Optional<StoredObject> existing(ExportReference export, LogicalCluster cluster) {
    return objects.list(KcpResources.BINDINGS, cluster).stream()
        .filter(binding -> ExportReference.ofBinding(binding.object()).equals(export))
        .findFirst();
  }

  private KubeObject binding(ExportReference reference, KubeObject export, LogicalCluster cluster) {
    KubeObject binding =
        KubeObject.of(
                BINDINGS,
                "APIBinding",
                "",
                KcpHashes.bindingName(cluster, reference.path(), reference.name()))
            .with(clusters.path(cluster).value(), "metadata", "annotations", KcpNames.PATH)
            .withFinalizer(KcpNames.BINDING_FINALIZER)
            .with(reference.tree(), "spec", "reference", "export");
    List<Map<String, Object>> claims =
        export.list("spec", "permissionClaims").stream()
            .map(claim -> accepted(Trees.mapOrEmpty(claim)))
            .toList();
    if (!claims.isEmpty()) {
      binding = binding.with(claims, "spec", "permissionClaims");
    }
    KubeObject claiming = binding;
    return export
        .logicalCluster()
        .map(provider -> KcpHashes.export(provider, reference.name()))
        .map(hash -> claiming.with(hash, "metadata", "labels", KcpNames.BOUND_EXPORT))
        .orElse(claiming);
  }

  /** As kcp, which keeps what the export proposes only in new workspaces. */
  private static KubeObject withoutProposals(KubeObject binding) {
    List<Map<String, Object>> claims =
        binding.list("spec", "permissionClaims").stream()
            .map(claim -> {
              var stripped = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
              stripped.remove(PROPOSED);
              return (Map<String, Object>) stripped;
            })
            .toList();
    return claims.isEmpty() ? binding : binding.with(claims, "spec", "permissionClaims");
  }

  /** The claim with the selector that the export proposes, or with one for all objects. */
  private static Map<String, Object> accepted(Map<String, Object> claim) {
    var accepted = new LinkedHashMap<>(claim);
    accepted.put("selector", claim.getOrDefault(PROPOSED, Map.of("matchAll", true)));
    accepted.put("state", "Accepted");
    return accepted;
  }
}
