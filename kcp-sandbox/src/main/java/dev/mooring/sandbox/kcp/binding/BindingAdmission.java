package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.PathAnnotationAdmission;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;
import java.util.Optional;

/**
 * Requires the right to bind the export, and labels the APIBinding with the hash of the export. A
 * missing export and a missing right are denied with the same message, so that it does not reveal
 * which workspaces exist.
 */
public final class BindingAdmission implements ResourceAdmission {
  private final ExportResolver exports;
  private final ReferencePermission permission;
  private final PathAnnotationAdmission paths;

  public BindingAdmission(
      ExportResolver exports, ReferencePermission permission, PathAnnotationAdmission paths) {
    this.exports = exports;
    this.permission = permission;
    this.paths = paths;
  }

  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    ExportReference reference = ExportReference.ofBinding(object);
    KubeObject mutated = paths.mutated(request, object);
    if (request.operation() == Operation.CREATE) {
      mutated = mutated.withFinalizer(KcpNames.BINDING_FINALIZER);
    }
    boolean changed =
        request
            .previous()
            .map(before -> !ExportReference.ofBinding(before).equals(reference))
            .orElse(true);
    if (changed) {
      LogicalCluster provider = provider(request, reference);
      return mutated.with(
          KcpHashes.export(provider, reference.name()),
          "metadata",
          "labels",
          KcpNames.BOUND_EXPORT);
    }
    return kept(request, mutated);
  }

  /** Clients can neither change nor remove the label. */
  private static KubeObject kept(AdmissionRequest request, KubeObject object) {
    String label = request.previous().orElseThrow().labels().get(KcpNames.BOUND_EXPORT);
    return label == null || label.equals(object.labels().get(KcpNames.BOUND_EXPORT))
        ? object
        : object.with(label, "metadata", "labels", KcpNames.BOUND_EXPORT);
  }

  private LogicalCluster provider(AdmissionRequest request, ExportReference reference) {
    Optional<LogicalCluster> provider = exports.exportCluster(reference, request.cluster());
    boolean exists = exports.export(reference, request.cluster()).isPresent();
    if (provider.isEmpty()
        || !exists
        || !permission.mayBind(request.user(), provider.get(), reference.name())) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.object().orElseThrow().name(),
          "unable to "
              + (request.operation() == Operation.CREATE ? "create" : "update")
              + " APIBinding: no permission to bind to export "
              + reference);
    }
    return provider.get();
  }
}
