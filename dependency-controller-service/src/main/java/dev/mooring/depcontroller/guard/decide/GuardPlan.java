package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/** The one write, if any, that brings a provider's webhook configuration closer to the rules. */
public sealed interface GuardPlan {
  /** Nothing to write. */
  record InSync() implements GuardPlan {}

  /** There is none, and there has to be. */
  record Create(KubeObject configuration) implements GuardPlan {
    public Create {
      Objects.requireNonNull(configuration, "configuration");
    }
  }

  /** Another one is wanted; carries the version that was seen. */
  record Replace(KubeObject configuration) implements GuardPlan {
    public Replace {
      Objects.requireNonNull(configuration, "configuration");
    }
  }

  /** Nothing is protected here any more; only the very object that was seen goes. */
  record Remove(String uid, String resourceVersion) implements GuardPlan {
    public Remove {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(resourceVersion, "resourceVersion");
    }
  }
}
