package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.Optional;

/**
 * What a mounted Workspace takes over from the object that it refers to: its {@code status.URL},
 * and whether its {@code status.phase} is Ready.
 */
public final class MountPlanner {
  private static final String READY = "WorkspaceMountReady";

  private MountPlanner() {}

  /**
   * @param workspace with {@code spec.mount}
   * @param mount the object; empty if there is none
   * @param now RFC 3339
   */
  public static KubeObject followed(KubeObject workspace, Optional<KubeObject> mount, String now) {
    if (mount.isEmpty()) {
      return unmet(
          workspace,
          "MountObjectNotFound",
          "%s \"%s/%s\" not found"
              .formatted(
                  workspace.text("spec", "mount", "ref", "kind"),
                  workspace.text("spec", "mount", "ref", "namespace"),
                  workspace.text("spec", "mount", "ref", "name")),
          now);
    }
    KubeObject object = mount.get();
    KubeObject followed =
        object.text("status", "phase").equals("Ready")
            ? Conditions.met(workspace, READY, now).with("Ready", "status", "phase")
            : unmet(
                workspace,
                "MountObjectNotReady",
                "Mount is not reporting ready. See %s \"%s\" status for more details"
                    .formatted(object.kind(), object.name()),
                now);
    String url = object.text("status", "URL");
    return url.isEmpty() ? followed : followed.with(url, "spec", "URL");
  }

  private static KubeObject unmet(KubeObject workspace, String reason, String message, String now) {
    return Conditions.unmet(workspace, READY, Severity.ERROR, reason, message, now);
  }
}
