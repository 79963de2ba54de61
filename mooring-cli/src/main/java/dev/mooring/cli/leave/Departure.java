package dev.mooring.cli.leave;

import dev.mooring.cli.ExitCode;
import dev.mooring.cli.leave.Step.Work;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the steps of a departure, or takes them: each is done before the next one begins. */
final class Departure {
  private static final List<String> COLUMNS = List.of("STEP", "STATE", "EFFECT", "LEFT", "OBJECTS");
  private static final int LISTED_MAX = 5;
  private static final Duration POLL = Duration.ofMillis(500);

  @Option(names = "--yes", description = "Take the steps. Without it the command only shows them.")
  private boolean yes;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "For each step (default: ${DEFAULT-VALUE}).")
  private int seconds = 120;

  @Mixin private OutputOptions output;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** What became of a step. */
  private enum State {
    done,
    unfinished,
    waiting
  }

  private record Outcome(Step step, State state, List<Work> left) {
    List<String> row() {
      return List.of(
          step.name(),
          state.name(),
          left.isEmpty() ? "" : step.effect(),
          String.valueOf(left.size()),
          listed(left));
    }

    Map<String, Object> tree() {
      return Trees.ordered(
          "step", step.name(),
          "state", state.name(),
          "effect", step.effect(),
          "left", left.stream().map(Work::object).toList());
    }
  }

  /**
   * @param afterwards what remains to be done by hand
   * @return the exit status: 1 if steps are left, also where they were only shown
   */
  int carryOut(List<Step> steps, List<String> afterwards) {
    List<Outcome> outcomes = outcomes(steps);
    output.print(
        new Table(COLUMNS, outcomes.stream().map(Outcome::row).toList()),
        outcomes.stream().map(Outcome::tree).toList());
    boolean done = outcomes.stream().allMatch(outcome -> outcome.state() == State.done);
    outcomes.stream()
        .filter(outcome -> outcome.state() == State.unfinished)
        .findFirst()
        .ifPresent(outcome ->
            output.printSummary(
                "Step \"%s\" did not end within %d s: %s. Run the command again to go on."
                    .formatted(outcome.step().name(), seconds, outcome.step().unfinished())));
    if (!yes && !done) {
      output.printSummary("Nothing was changed. Add --yes to take these steps.");
    }
    if (done) {
      afterwards.forEach(output::printSummary);
    }
    return done ? ExitCode.OK : ExitCode.FOUND;
  }

  /** Steps are taken until one does not end: those after it are not begun. */
  private List<Outcome> outcomes(List<Step> steps) {
    var outcomes = new ArrayList<Outcome>();
    boolean stopped = !yes;
    for (Step step : steps) {
      List<Work> left = stopped ? step.left().get() : take(step);
      outcomes.add(
          new Outcome(
              step,
              left.isEmpty() ? State.done : stopped ? State.waiting : State.unfinished,
              left));
      stopped |= !left.isEmpty();
    }
    return outcomes;
  }

  /** Returns what is left. */
  private List<Work> take(Step step) {
    Instant end = SystemTime.clock().instant().plusSeconds(seconds);
    List<Work> left = step.left().get();
    if (!left.isEmpty()) {
      say("%s: %s %d (%s)".formatted(step.name(), step.effect(), left.size(), listed(left)));
    }
    while (!left.isEmpty()) {
      left.forEach(Departure::act);
      left = step.left().get();
      if (!left.isEmpty()) {
        if (SystemTime.clock().instant().isAfter(end)) {
          return left;
        }
        SystemTime.pause().forAbout(POLL);
      }
    }
    return left;
  }

  private static void act(Work work) {
    try {
      work.action().run();
    } catch (KubeFailure failure) {
      if (!failure.isAbsent() && !failure.isConflict()) {
        throw failure;
      }
      // Read again: another writer was first, or it is gone.
    }
  }

  /** Progress goes apart from the report. */
  private void say(String text) {
    command.commandLine().getErr().println(text);
    command.commandLine().getErr().flush();
  }

  private static String listed(List<Work> left) {
    return left.stream()
            .map(Work::object)
            .sorted()
            .limit(LISTED_MAX)
            .collect(Collectors.joining(", "))
        + (left.size() > LISTED_MAX ? " and %d more".formatted(left.size() - LISTED_MAX) : "");
  }
}
