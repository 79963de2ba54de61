package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;

/** Annotates objects that are referred to by path with their canonical path. */
public record PathAnnotationAdmission(LogicalClusters clusters) implements ResourceAdmission {
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    String path = clusters.path(request.cluster()).value();
    return object.annotation(KcpNames.PATH).filter(path::equals).isPresent()
        ? object
        : object.with(path, "metadata", "annotations", KcpNames.PATH);
  }
}
