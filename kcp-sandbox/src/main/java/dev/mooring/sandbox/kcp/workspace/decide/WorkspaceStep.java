package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.object.KubeObject;

/**
 * The next thing to do for a Workspace or a LogicalCluster: at most one write, after which
 * everything is looked at again.
 */
public sealed interface WorkspaceStep {

  /** Write metadata and spec, on the condition that the object is still the one that was seen. */
  record Update(KubeObject object) implements WorkspaceStep {}

  /** Write the status, on the same condition. */
  record UpdateStatus(KubeObject object) implements WorkspaceStep {}

  /** Make the LogicalCluster of a Workspace; its cluster is the one the annotation names. */
  record CreateCluster(KubeObject workspace) implements WorkspaceStep {}

  /** Ask the LogicalCluster of a Workspace to go. */
  record DeleteCluster(KubeObject workspace) implements WorkspaceStep {}

  /** Choose another cluster name: the chosen one belongs to somebody else. */
  record ChooseAgain(KubeObject workspace) implements WorkspaceStep {}

  /** Nothing to do until something changes. */
  record Await() implements WorkspaceStep {}
}
