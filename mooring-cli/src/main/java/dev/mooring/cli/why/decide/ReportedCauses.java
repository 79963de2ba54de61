package dev.mooring.cli.why.decide;

import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import java.util.Optional;
import java.util.Set;

/** What the sync agent says of an object, as far as nothing that is present contradicts it. */
final class ReportedCauses {
  /** Reasons of a pass that goes on by itself. */
  private static final Set<String> UNDER_WAY = Set.of("Syncing", "Related", "RelatedCleanup");

  private ReportedCauses() {}

  /** The agent knows it best; without it the latest event that nothing contradicts. */
  static Optional<Finding> reported(SyncFacts facts) {
    Optional<AgentView.Answers> agent = facts.agentAnswer();
    if (agent.isPresent()) {
      return agent
          .get()
          .object()
          .filter(report -> !UNDER_WAY.contains(report.reason()))
          // The condition names the path.
          .filter(report -> !report.reason().equals("UnknownPath") || facts.publication().isEmpty())
          .flatMap(report ->
              reported(
                  facts,
                  state(report.outlook()),
                  report.reason(),
                  report.message(),
                  "the sync agent: " + report.message()));
    }
    return facts.agentEvents().stream()
        .findFirst()
        .filter(SeenEvent::isWarning)
        .filter(event -> !isContradicted(facts, event))
        .flatMap(event ->
            reported(facts, state(event), event.reason(), event.message(), "Event " + event));
  }

  private static Optional<Finding> reported(
      SyncFacts facts, State state, String reason, String said, String evidence) {
    if (Set.of("ReconcilingError", "NamespaceTerminating").contains(reason)) {
      return new ServerRefusal(facts, state, said, evidence).finding();
    }
    Remedies.Advice advice = Remedies.of(reason);
    return state
        .of(reason, "the sync agent reports " + reason)
        .shownBy(evidence)
        .fixedBy(advice.subject().remedy(facts, advice.fix()));
  }

  /** Whether what was just read shows that the event is over: what is present counts. */
  private static boolean isContradicted(SyncFacts facts, SeenEvent event) {
    Optional<Binding> binding = facts.binding();
    boolean corrected =
        switch (event.reason()) {
          case "ClaimRejected" -> binding.isPresent() && binding.get().unaccepted().isEmpty();
          case "ClaimNarrowed" -> binding.isPresent() && !binding.get().isNarrowed();
          // The checks before this one have read what decides about these.
          case "Paused", "OutOfFilter" -> facts.publication().isPresent();
          default -> false;
        };
    return corrected
        || facts.publication().flatMap(Published::changed).stream()
            .anyMatch(changed -> event.instant().filter(changed::isAfter).isPresent());
  }

  private static State state(SeenEvent event) {
    return switch (event.reason()) {
      case "Paused" -> State.paused;
      case "OutOfFilter" -> State.skipped;
      case "ReconcilingError" ->
          event.message().contains("refuses what syncing") ? State.refused : State.failed;
      default -> State.refused;
    };
  }

  private static State state(String outlook) {
    return switch (outlook) {
      case "failed" -> State.failed;
      case "refused" -> State.refused;
      case "skipped" -> State.skipped;
      default -> State.pending;
    };
  }
}
