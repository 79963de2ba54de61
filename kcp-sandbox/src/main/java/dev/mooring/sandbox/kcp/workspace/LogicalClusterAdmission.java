package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;

/** Denies users to create or delete a LogicalCluster: the Workspace does. */
public final class LogicalClusterAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    switch (request.operation()) {
      case CREATE -> throw forbidden(request, "LogicalCluster cannot be created");
      case DELETE -> {
        boolean direct =
            request
                .previous()
                .map(cluster -> Boolean.TRUE.equals(cluster.at("spec", "directlyDeletable")))
                .orElse(false);
        if (!direct) {
          throw forbidden(request, "LogicalCluster cannot be deleted");
        }
      }
      case UPDATE -> checkUpdate(request);
      case CONNECT -> {}
    }
  }

  private static void checkUpdate(AdmissionRequest request) {
    KubeObject before = request.previous().orElseThrow();
    KubeObject after = request.object().orElseThrow();
    if (!before.list("spec", "initializers").equals(after.list("spec", "initializers"))) {
      throw forbidden(request, "spec.initializers is immutable");
    }
  }

  private static ApiFailure forbidden(AdmissionRequest request, String why) {
    return ApiFailure.forbidden(request.definition().type(), KcpNames.CLUSTER_OBJECT, why);
  }
}
