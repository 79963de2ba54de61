package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;

/** Requires the right to bind the export, and labels the APIBinding with the hash of the export. */
public record BindingAdmission(ExportResolver exports, ReferencePermission permission)
    implements ResourceAdmission {
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    ExportReference reference = ExportReference.ofBinding(object);
    KubeObject mutated = object;
    if (request.operation() == Operation.CREATE) {
      mutated = mutated.withFinalizer(KcpNames.BINDING_FINALIZER);
    }
    boolean changed =
        request
            .previous()
            .map(before -> !ExportReference.ofBinding(before).equals(reference))
            .orElse(true);
    if (changed) {
      LogicalCluster provider =
          exports.requireBindable(reference, request, permission, "APIBinding");
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
}
