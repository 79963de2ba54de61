package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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
      wanted =
          TypeReference.of(parentType(request, "parent").map("spec", "defaultChildWorkspaceType"));
      if (wanted.name().isEmpty()) {
        // kcp does not fill in what its message is about.
        throw Refusal.of(
            request, "spec.defaultChildWorkspaceType of workspace type %s:%s must be set");
      }
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

  /**
   * @param called how a refusal calls the type
   */
  private KubeObject parentType(AdmissionRequest request, String called) {
    TypeReference reference =
        clusters
            .object(request.cluster())
            .flatMap(parent -> parent.object().annotation(KcpNames.TYPE))
            .map(TypeReference::parse)
            .orElseThrow(() ->
                Refusal.of(
                    request, "annotation " + KcpNames.TYPE + " on LogicalCluster must be set"));
    return types
        .find(reference)
        .orElseThrow(() ->
            Refusal.of(
                request,
                "%s type cannot be resolved: workspacetypes.tenancy.kcp.io \"%s\" not found"
                    .formatted(called, reference)));
  }

  @Override
  public void checkStatus(AdmissionRequest request) {
    check(request);
  }

  @Override
  public void check(AdmissionRequest request) {
    switch (request.operation()) {
      case CREATE -> checkCreate(request);
      case UPDATE -> {
        KubeObject before = request.previous().orElseThrow();
        KubeObject after = request.object().orElseThrow();
        Optional<String> violation =
            before.at("spec", "mount") == null
                ? changed(before, after, isPrivileged(request))
                : Optional.empty();
        if (violation.isPresent()) {
          throw Refusal.of(request, violation.get());
        }
      }
      case DELETE, CONNECT -> {}
    }
  }

  private static Optional<String> changed(KubeObject before, KubeObject after, boolean privileged) {
    String cluster = before.text("spec", "cluster");
    if (!cluster.isEmpty() && after.text("spec", "cluster").isEmpty()) {
      return Optional.of("spec.cluster cannot be unset");
    }
    for (String field : List.of("cluster", "URL")) {
      if (!privileged && !before.text("spec", field).equals(after.text("spec", field))) {
        return Optional.of("spec." + field + " can only be changed by system privileged users");
      }
    }
    Object type = after.at("spec", "type");
    if (!Objects.equals(before.at("spec", "type"), type)) {
      return Optional.of(FieldError.invalid("spec.type", type, "field is immutable").toString());
    }
    boolean becomesReady =
        after.text("status", "phase").equals("Ready")
            && !before.text("status", "phase").equals("Ready");
    return Stream.of("cluster", "URL")
        .filter(field -> becomesReady && after.text("spec", field).isEmpty())
        .map(field -> "spec." + field + " must be set for phase Ready")
        .findFirst();
  }

  private void checkCreate(AdmissionRequest request) {
    KubeObject workspace = request.object().orElseThrow();
    if (!isPrivileged(request)) {
      for (String field : List.of("cluster", "URL")) {
        if (!workspace.text("spec", field).isEmpty()) {
          String shown = field.equals("URL") ? field : "Cluster";
          throw Refusal.of(
              request, "spec." + shown + " can only be set by system privileged users");
        }
      }
    }
    if (workspace.at("spec", "mount") != null) {
      return;
    }
    TypeReference reference = TypeReference.of(workspace.map("spec", "type"));
    KubeObject type = known(request, types.resolve(reference, clusters.path(request.cluster())));
    List<KubeObject> child = known(request, types.withExtended(type));
    for (KubeObject used : child) {
      if (!permission.mayUseType(
          request.user(), used.logicalCluster().orElseThrow(), used.name())) {
        throw Refusal.of(
            request,
            ("unable to use workspace type %s:%s: missing verb='use' permission on "
                    + "workspacetype")
                .formatted(used.annotation(KcpNames.PATH).orElse(""), used.name()));
      }
    }
    List<KubeObject> parent = known(request, types.withExtended(parentType(request, "workspace")));
    WorkspaceTypes.placementRefused(parent, child)
        .ifPresent(why -> {
          throw Refusal.of(request, why);
        });
  }

  private static <T> T known(AdmissionRequest request, WorkspaceTypes.Answer<T> answer) {
    return switch (answer) {
      case WorkspaceTypes.Answer.Known<T>(T value) -> value;
      case WorkspaceTypes.Answer.Refused<T>(String message) -> throw Refusal.of(request, message);
    };
  }
}
