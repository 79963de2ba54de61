package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;

/** The next write for a Workspace or a LogicalCluster, after which all facts are read again. */
public sealed interface WorkspaceStep {

  /** Write the object, on the condition that it is still the one that was seen. */
  record Update(KubeObject object) implements WorkspaceStep {}

  /** Create the LogicalCluster of a Workspace; its cluster is the one the annotation names. */
  record CreateCluster(KubeObject workspace) implements WorkspaceStep {}

  /** Delete the LogicalCluster of a Workspace. */
  record DeleteCluster() implements WorkspaceStep {}

  /** Choose another cluster name: the chosen one belongs to another workspace. */
  record ChooseAgain(KubeObject workspace) implements WorkspaceStep {}

  /** Nothing to do until something changes. */
  record Await() implements WorkspaceStep {}
}
