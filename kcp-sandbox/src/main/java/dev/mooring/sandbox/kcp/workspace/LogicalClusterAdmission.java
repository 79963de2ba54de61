package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Denies users to create or delete a LogicalCluster, because the Workspace does, and to change what
 * controllers rely on. The server's own users may do all of that.
 */
public final class LogicalClusterAdmission implements ResourceAdmission {
  private static final Set<String> PRIVILEGED =
      Set.of(
          UserInfo.MASTERS,
          "system:kcp:logical-cluster-admin",
          "system:kcp:external-logical-cluster-admin",
          "system:kcp:tenancy:workspace-bootstrapper");

  /** In the order in which a cluster goes through them; those on its way out are not in it. */
  private static final List<String> PHASES = List.of("", "Scheduling", "Initializing", "Ready");

  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    return object.deleting() ? object : object.withFinalizer(KcpNames.CLUSTER_FINALIZER);
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.user().groups().stream().anyMatch(PRIVILEGED::contains)) {
      return;
    }
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
      case UPDATE ->
          violation(request.previous().orElseThrow(), request.object().orElseThrow())
              .ifPresent(why -> {
                throw forbidden(request, why);
              });
      case CONNECT -> {}
    }
  }

  @Override
  public void checkStatus(AdmissionRequest request) {
    check(request);
  }

  private static Optional<String> violation(KubeObject before, KubeObject after) {
    Set<Object> specBefore = Set.copyOf(before.list("spec", "initializers"));
    Set<Object> specAfter = Set.copyOf(after.list("spec", "initializers"));
    Set<String> pendingBefore = Set.copyOf(Lifecycle.INITIALIZING.pending(before));
    Set<String> pendingAfter = Set.copyOf(Lifecycle.INITIALIZING.pending(after));
    String phaseBefore = before.text("status", "phase");
    String phaseAfter = after.text("status", "phase");
    boolean initializing = phaseAfter.equals("Initializing");
    boolean begins = initializing && !phaseBefore.equals("Initializing");
    if (!before.map("spec", "createdBy").equals(after.map("spec", "createdBy"))) {
      return Optional.of(
          FieldError.invalidOmitted("spec.createdBy", "field is immutable").toString());
    }
    if (!specBefore.equals(specAfter)) {
      return Optional.of("spec.initializers is immutable");
    }
    if (initializing && !begins && !pendingBefore.containsAll(pendingAfter)) {
      return Optional.of("status.initializers must not grow");
    }
    if (!initializing && !pendingBefore.equals(pendingAfter)) {
      return Optional.of("status.initializers is immutable after initialization");
    }
    if (phaseBefore.equals("Initializing") && !initializing && !pendingAfter.isEmpty()) {
      return Optional.of("status.initializers is not empty");
    }
    return PHASES.indexOf(phaseBefore) > PHASES.indexOf(phaseAfter)
        ? Optional.of("cannot transition from \"%s\" to \"%s\"".formatted(phaseBefore, phaseAfter))
        : Optional.empty();
  }

  private static ApiFailure forbidden(AdmissionRequest request, String why) {
    return ApiFailure.forbidden(request.definition().type(), KcpNames.CLUSTER_OBJECT, why);
  }
}
