package dev.mooring.depwebhook.admission.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;

/** Whether the target's owner asked for its deletion not to be checked. */
public enum Bypass {
  NOT_REQUESTED,
  REQUESTED;

  /** Only the exact value {@code "true"} counts. */
  public static Bypass of(KubeObject target) {
    return target.annotation(DependencyRule.SKIP_PROTECTION).filter("true"::equals).isPresent()
        ? REQUESTED
        : NOT_REQUESTED;
  }
}
