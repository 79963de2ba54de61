package dev.mooring.syncagent.endpoint;

import dev.mooring.console.Console;
import dev.mooring.console.Statement;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.syncagent.agent.RunningAgent;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.sync.ObjectSync;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The agent's console: what it syncs, how far it is, and what fails. */
public record AgentConsole(SyncAgent agent) implements Console {
  @Override
  public String service() {
    return "Sync agent";
  }

  @Override
  public List<Statement> summary() {
    var statements = new ArrayList<Statement>();
    agent.reasons().forEach(reason -> statements.add(Statement.of(Tone.BAD, reason)));
    Optional<RunningAgent> running = agent.running();
    if (running.isEmpty()) {
      statements.add(
          Statement.of(
              Tone.NEUTRAL, "This replica syncs nothing: another one leads, or none yet."));
      return statements;
    }
    statements.add(
        Statement.of(
            Tone.NEUTRAL,
            "%d PublishedResources are selected, %d of them are synced."
                .formatted(running.get().publishedResources(), agent.syncs().size())));
    if (!agent.sharing().isEmpty()) {
      statements.add(
          Statement.of(
              Tone.NEUTRAL,
              "Replicas share the work, and each shows the objects that it syncs: "
                  + String.join(", ", agent.sharing())
                  + "."));
    }
    long synced = 0;
    long pending = 0;
    long failed = 0;
    for (ObjectSync sync : agent.syncs()) {
      ObjectCounts counts = sync.status().countsSoFar();
      synced += counts.synced();
      pending += counts.pending();
      failed += counts.failed();
    }
    statements.add(
        Statement.of(
            failed > 0 ? Tone.ATTENTION : Tone.GOOD,
            "%d objects are synced, %d pending, %d failed.".formatted(synced, pending, failed)));
    agent
        .failingResources()
        .forEach((name, why) ->
            statements.add(Statement.of(Tone.BAD, "PublishedResource " + name + ": " + why)));
    return statements;
  }

  @Override
  public List<View> views() {
    return List.of(new PublishedView(agent).view(), new ObjectsView(agent).view());
  }
}
