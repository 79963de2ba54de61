package dev.mooring.syncagent.content.decide;

import dev.mooring.model.object.KubeObject;

/** State of the Namespace that a copy is in, or would be created in. */
public enum CopyNamespace {
  /** The copy is cluster-scoped, or none is to be created. */
  NOT_NEEDED,
  PRESENT,
  ABSENT,
  TERMINATING;

  public static CopyNamespace of(KubeObject namespace) {
    return namespace.deleting() ? TERMINATING : PRESENT;
  }
}
