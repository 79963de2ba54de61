package dev.mooring.depwebhook.admission;

import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/** What an API server asked, as far as it could be read. */
public sealed interface Review {
  /** To be repeated in the answer; empty if it could not be read. */
  String uid();

  /** May this object be deleted? Its name and namespace come from the object itself. */
  record Deletion(String uid, Target target, KubeObject object) implements Review {
    public Deletion {
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(object, "object");
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
}
