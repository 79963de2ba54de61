package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/** What to do now for one object. */
public sealed interface SyncPlan {
  /** Nothing: both sides are as they should be, or there is nothing left. */
  record InSync() implements SyncPlan {}

  /**
   * Nothing, though the copy differs from its source, as the owner allows.
   *
   * @param fields that differ, sorted; at most {@link
   *     dev.mooring.syncagent.content.decide.SyncedContent#DRIFT_LISTED_MAX}
   */
  record Drifted(KubeObject copy, List<String> fields) implements SyncPlan {
    public Drifted {
      fields = List.copyOf(fields);
    }
  }

  /** Nothing, and on purpose: the object is out of reach of the rules. */
  record Skip(Why why) implements SyncPlan {}

  /**
   * Something else has to happen first; a watch will tell, but of a {@link Why#NAME_TERMINATING
   * stranger}.
   */
  record Await(Why why) implements SyncPlan {}

  /** It cannot be done; a person has to change something. */
  record Refuse(Why why, String message) implements SyncPlan {}

  /** Exactly one write, then requeue. */
  record Act(SyncAction action) implements SyncPlan {}

  /** Reasons as they stand in events and the status. */
  enum Why {
    OUT_OF_FILTER("OutOfFilter"),
    NAMESPACE_UNSEEN("NamespaceNotSeen"),
    CLAIM_REJECTED("ClaimRejected"),
    PAUSED("Paused"),
    COPY_TERMINATING("CopyTerminating"),
    NAMESPACE_TERMINATING("NamespaceTerminating"),
    /** The object with the copy's name is terminating, and need not be watched. */
    NAME_TERMINATING("NameTerminating"),
    NAMING_FAILED("NamingFailed"),
    MUTATION_FAILED("MutationFailed"),
    NAME_COLLISION("NameCollision"),
    SEVERAL_COPIES("SeveralCopies");

    private final String text;

    Why(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
