package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Rules for WorkspaceTypes: references to other types have a path, and a user who adds a default
 * APIBinding must be allowed to bind its export, because kcp creates the binding with its own
 * rights. The export need not exist.
 */
public record WorkspaceTypeAdmission(LogicalClusters clusters, ReferencePermission permission)
    implements ResourceAdmission {
  private static final Set<String> RESERVED = Set.of("any", "system");

  /** Before its schema is asked. */
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    if (request.operation() == Operation.CREATE && RESERVED.contains(object.name())) {
      throw Refusal.of(
          request,
          FieldError.invalid("metadata.name", object.name(), "name is reserved").toString());
    }
    return object;
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.DELETE) {
      return;
    }
    KubeObject type = request.object().orElseThrow();
    if (type.name().equals("root") && !request.cluster().equals(KcpResources.ROOT)) {
      throw Refusal.of(request, "root workspace type can only be created in root cluster");
    }
    Map<String, Object> child = type.map("spec", "defaultChildWorkspaceType");
    if (!child.isEmpty() && Trees.text(child, "path").isEmpty()) {
      throw Refusal.of(request, ".spec.defaultChildWorkspaceType.path must be set");
    }
    for (String field : List.of("limitAllowedChildren", "limitAllowedParents")) {
      List<Object> types = type.list("spec", field, "types");
      for (int i = 0; i < types.size(); i++) {
        if (Trees.text(types.get(i), "path").isEmpty()) {
          throw Refusal.of(request, ".spec.%s.types[%d].path must be set".formatted(field, i));
        }
      }
    }
    checkDefaultBindings(request, type);
  }

  private void checkDefaultBindings(AdmissionRequest request, KubeObject type) {
    List<ExportReference> before =
        request.previous().map(WorkspaceTypes::defaultBindings).orElse(List.of());
    for (ExportReference export : WorkspaceTypes.defaultBindings(type)) {
      // The same denial if there is no such workspace: it does not reveal which ones exist.
      if (!before.contains(export)
          && clusterOf(export, request.cluster())
              .filter(cluster -> permission.mayBind(request.user(), cluster, export.name()))
              .isEmpty()) {
        throw Refusal.of(
            request,
            "unable to create or update WorkspaceType: no permission to bind to export " + export);
      }
    }
  }

  private Optional<LogicalCluster> clusterOf(ExportReference export, LogicalCluster here) {
    return export.path().isEmpty() ? Optional.of(here) : clusters.find(export.path());
  }
}
