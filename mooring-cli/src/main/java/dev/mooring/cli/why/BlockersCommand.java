package dev.mooring.cli.why;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.DeletionCauses;
import dev.mooring.cli.why.decide.DeletionFacts;
import dev.mooring.cli.why.decide.SyncFacts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mooring blockers}: exit status 1 if something refuses the deletion. */
@Command(
    name = "blockers",
    description = {
      "Shows what refuses the deletion of a consumer's object: dependents, rules, admission,"
          + " finalizers, missing permissions.",
      "It asks for the deletion with dryRun, and reads rules and dependents with the caller's"
          + " permissions; with --webhook-url it asks the dependency webhook as well."
    },
    footer = {
      "%nExamples:",
      "  mooring blockers vpc main",
      "  mooring blockers vpc/main -n default -w root:org:team-blue --webhook-url"
          + " http://localhost:8087"
    })
public final class BlockersCommand implements Callable<Integer> {
  @Mixin private ObjectOptions options;

  @Override
  public Integer call() {
    return options.answer(read -> {
      SyncFacts facts = ObjectOptions.existing(read.sync());
      if (facts.object().isEmpty()) {
        throw CommandFailure.badInput(facts.workspace() + " serves no type of " + facts.asked());
      }
      String title = "deletion of " + facts.title() + " in " + facts.workspace();
      if (facts.object().get().deleting()) {
        var held = new Explanation(title, Optional.empty(), State.terminating);
        held.add(
            "blocker",
            facts.object().get().finalizers().stream().map("finalizer "::concat).toList());
        return held;
      }
      DeletionFacts found = read.deletion().apply(facts);
      Optional<Finding> denial = DeletionCauses.denial(found);
      var explanation =
          new Explanation(
              title, Optional.empty(), denial.isPresent() ? State.denied : State.allowed);
      explanation.add("blocker", denial.map(Finding::evidence).orElse(List.of()));
      explanation.addUnread(found, facts);
      return explanation;
    });
  }
}
