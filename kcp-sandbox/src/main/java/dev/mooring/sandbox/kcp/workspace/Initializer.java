package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;

/** Does the work of one initializer in a new logical cluster. */
@FunctionalInterface
public interface Initializer {
  /** Creates what is missing; true once all of it is there. Called again until then. */
  boolean ensure(KubeObject logicalCluster, LogicalCluster cluster);
}
