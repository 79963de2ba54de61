package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;

/** Workspaces that are mounted: their content is served elsewhere. */
public final class Mounts {
  private Mounts() {}

  /** Whether paths lead through the workspace yet. */
  public static boolean isIndexed(KubeObject workspace) {
    String phase = workspace.text("status", "phase");
    return !phase.isEmpty() && !phase.equals("Scheduling");
  }

  /** The URL of the mounted content; empty if it is none, or not known. */
  public static String url(KubeObject workspace) {
    return workspace.at("spec", "mount") != null && workspace.text("spec", "cluster").isEmpty()
        ? workspace.text("spec", "URL")
        : "";
  }
}
