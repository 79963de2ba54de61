package dev.mooring.syncagent.published;

import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/** What becomes of a copy's dependents when the agent deletes the copy. */
public enum DeletionPropagation {
  BACKGROUND,
  FOREGROUND,
  ORPHAN;

  /**
   * As the consumer's annotation says; background without it, and for unknown values.
   *
   * @param original of the copy, in kcp; empty if it is gone
   */
  public static DeletionPropagation of(Optional<KubeObject> original) {
    return switch (original.flatMap(o -> o.annotation(SyncMarks.PROPAGATION)).orElse("")) {
      case "foreground" -> FOREGROUND;
      case "orphan" -> ORPHAN;
      default -> BACKGROUND;
    };
  }

  /** As DeleteOptions have it. */
  public String text() {
    return FieldValues.word(this);
  }
}
