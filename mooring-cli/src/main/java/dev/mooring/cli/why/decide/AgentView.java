package dev.mooring.cli.why.decide;

import java.util.List;
import java.util.Optional;

/** What the sync agent itself says. */
public sealed interface AgentView {
  /** It does not answer. */
  record Silent(String why) implements AgentView {}

  /**
   * It answers.
   *
   * @param reasons why it is not ready; empty if it is
   * @param object what it says about the object; empty if nothing keeps it from being synced
   * @param relatedPending related objects that the object does not name yet, in words
   */
  record Answers(List<String> reasons, Optional<Report> object, Optional<String> relatedPending)
      implements AgentView {
    public Answers {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * Of one object that is not synced.
   *
   * @param outlook pending, failed, refused or skipped
   */
  record Report(String outlook, String reason, String message) {}
}
