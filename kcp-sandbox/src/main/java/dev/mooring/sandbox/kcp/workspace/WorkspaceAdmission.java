package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Annotates a new Workspace with its creator and the groups that its parent requires, and sets its
 * type: the requested one, or the default of its parent's type. The creator must be allowed to use
 * the type, and the parent's type to contain it. {@code system:masters} may set creator, groups,
 * cluster and URL themselves.
 */
public record WorkspaceAdmission(
    LogicalClusters clusters, WorkspaceTypes types, ReferencePermission permission)
    implements ResourceAdmission {
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    if (request.operation() != Operation.CREATE) {
      return object;
    }
    boolean privileged = isPrivileged(request);
    KubeObject annotated =
        privileged
            ? object
            : object.with(
                KubeJson.writeText(request.user().toTree()),
                "metadata",
                "annotations",
                KcpNames.OWNER);
    if (!privileged || annotated.annotation(KcpNames.REQUIRED_GROUPS).isEmpty()) {
      annotated = withRequiredGroups(request, annotated);
    }
    return annotated.at("spec", "mount") == null ? typed(request, annotated) : annotated;
  }

  private static boolean isPrivileged(AdmissionRequest request) {
    return request.user().groups().contains(UserInfo.MASTERS);
  }

  private KubeObject withRequiredGroups(AdmissionRequest request, KubeObject workspace) {
    return clusters
        .object(request.cluster())
        .flatMap(parent -> parent.object().annotation(KcpNames.REQUIRED_GROUPS))
        .map(groups -> workspace.with(groups, "metadata", "annotations", KcpNames.REQUIRED_GROUPS))
        .orElseGet(() -> Annotations.without(workspace, KcpNames.REQUIRED_GROUPS));
  }

  private KubeObject typed(AdmissionRequest request, KubeObject workspace) {
    TypeReference wanted = TypeReference.of(workspace.map("spec", "type"));
    if (wanted.name().isEmpty()) {
      wanted = TypeReference.of(parentType(request).map("spec", "defaultChildWorkspaceType"));
    }
    WorkspacePath here = clusters.path(request.cluster());
    KubeObject type = known(request, types.resolve(wanted, here));
    String path =
        wanted.path().isEmpty() ? type.annotation(KcpNames.PATH).orElseThrow() : wanted.path();
    KubeObject typed =
        workspace.with(new TypeReference(path, wanted.name()).tree(), "spec", "type");
    for (Map.Entry<String, Object> label : additionalLabels(type).entrySet()) {
      if (!typed.labels().containsKey(label.getKey())) {
        typed = typed.with(label.getValue(), "metadata", "labels", label.getKey());
      }
    }
    return typed;
  }

  private static Map<String, Object> additionalLabels(KubeObject type) {
    return type.map("spec", "additionalWorkspaceLabels");
  }

  private KubeObject parentType(AdmissionRequest request) {
    Optional<KubeObject> parent = clusters.object(request.cluster()).map(StoredObject::object);
    return parent
        .flatMap(cluster -> cluster.annotation(KcpNames.TYPE))
        .map(TypeReference::parse)
        .flatMap(types::find)
        .orElseThrow(() -> forbidden(request, "workspace type cannot be resolved"));
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() != Operation.CREATE) {
      return;
    }
    KubeObject workspace = request.object().orElseThrow();
    if (!isPrivileged(request)) {
      for (String field : List.of("cluster", "URL")) {
        if (!workspace.text("spec", field).isEmpty()) {
          String shown = field.equals("URL") ? field : "Cluster";
          throw forbidden(request, "spec." + shown + " can only be set by system privileged users");
        }
      }
    }
    if (workspace.at("spec", "mount") != null) {
      if (!isPrivileged(request) && workspace.at("spec", "type") != null) {
        throw forbidden(request, "spec.type cannot be set for mounted workspaces");
      }
      return;
    }
    TypeReference reference = TypeReference.of(workspace.map("spec", "type"));
    KubeObject type = known(request, types.resolve(reference, clusters.path(request.cluster())));
    List<KubeObject> child = known(request, types.withExtended(type));
    for (KubeObject used : child) {
      if (!permission.mayUseType(
          request.user(), used.logicalCluster().orElseThrow(), used.name())) {
        throw forbidden(
            request,
            ("unable to use workspace type %s:%s: missing verb='use' permission on "
                    + "workspacetype")
                .formatted(used.annotation(KcpNames.PATH).orElse(""), used.name()));
      }
    }
    List<KubeObject> parent = known(request, types.withExtended(parentType(request)));
    WorkspaceTypes.placementRefused(parent, child)
        .ifPresent(why -> {
          throw forbidden(request, why);
        });
  }

  private static <T> T known(AdmissionRequest request, WorkspaceTypes.Answer<T> answer) {
    return switch (answer) {
      case WorkspaceTypes.Answer.Known<T>(T value) -> value;
      case WorkspaceTypes.Answer.Refused<T>(String message) -> throw forbidden(request, message);
    };
  }

  private static ApiFailure forbidden(AdmissionRequest request, String why) {
    return ApiFailure.forbidden(
        request.definition().type(), request.object().orElseThrow().name(), why);
  }
}
