package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Adoption;

/** Whether an object that has the copy's name may become the copy. */
final class AdoptionRule {
  private AdoptionRule() {}

  static boolean allows(Adoption adoption, SourceMarks marks, KubeObject stranger) {
    return switch (adoption) {
      case NEVER -> false;
      case MARKED -> marks.fitRemainingMarksOf(stranger);
      case UNCLAIMED -> !SourceMarks.isMarked(stranger) || marks.fitRemainingMarksOf(stranger);
      case ALWAYS -> true;
    };
  }
}
