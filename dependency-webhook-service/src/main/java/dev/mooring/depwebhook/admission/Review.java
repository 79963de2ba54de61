package dev.mooring.depwebhook.admission;

import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import java.util.Objects;

/** What an API server asked, as far as it could be read. */
public sealed interface Review {
  /** To be repeated in the answer; empty if it could not be read. */
  String uid();

  /**
   * May this object be deleted? Its name and namespace come from the object itself.
   *
   * @param caller who wants it
   * @param effect whether the deletion will be carried out
   */
  record Deletion(String uid, Target target, KubeObject object, Caller caller, Effect effect)
      implements Review {
    public Deletion {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(object, "object");
      Objects.requireNonNull(caller, "caller");
      Objects.requireNonNull(effect, "effect");
    }
  }

  /** Something that deletes nothing. */
  record OtherOperation(String uid, String operation) implements Review {
    public OtherOperation {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(operation, "operation");
    }
  }

  /** Not answerable. */
  record Malformed(String uid, String problem) implements Review {
    public Malformed {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(problem, "problem");
    }
  }

  /** Whether something happens if the review is answered with leave. */
  enum Effect {
    REAL,
    /** {@code dryRun}: the answer is the same, but nobody is told of it. */
    DRY_RUN
  }
}
