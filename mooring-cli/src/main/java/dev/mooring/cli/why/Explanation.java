package dev.mooring.cli.why;

import dev.mooring.cli.ExitCode;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.cli.why.decide.Cause;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import dev.mooring.cli.why.decide.DeletionFacts;
import dev.mooring.cli.why.decide.Fact;
import dev.mooring.cli.why.decide.Remedy;
import dev.mooring.cli.why.decide.SyncFacts;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code mooring why}: the cause first, then what is known. */
final class Explanation {
  private static final List<String> COLUMNS = List.of("FACT", "VALUE");

  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private final Map<String, Object> tree = new LinkedHashMap<>();
  private final State state;
  private final boolean isToBeCorrected;

  /**
   * @param otherwise the state if there is no cause
   */
  Explanation(String object, Optional<Cause> cause, State otherwise) {
    this.state = cause.map(found -> found.finding().state()).orElse(otherwise);
    this.isToBeCorrected = cause.filter(found -> found.finding().remedy().isNeeded()).isPresent();
    add("object", object);
    add("state", state.name());
    cause.ifPresent(this::add);
  }

  private void add(Cause cause) {
    Finding finding = cause.finding();
    Remedy remedy = finding.remedy();
    rows.add(List.of("cause", finding.reason() + ": " + finding.message()));
    finding.evidence().forEach(line -> rows.add(List.of("evidence", line)));
    if (remedy.isNeeded()) {
      rows.add(List.of("change", remedy.object()));
      rows.add(List.of("by", remedy.who().name()));
    }
    rows.add(List.of("fix", remedy.fix()));
    if (!remedy.command().isEmpty()) {
      rows.add(List.of("command", remedy.command()));
    }
    tree.put(
        "cause",
        Trees.ordered(
            "check", cause.check(),
            "reason", finding.reason(),
            "message", finding.message(),
            "evidence", finding.evidence(),
            "object", remedy.object(),
            "who", remedy.who().name(),
            "fix", remedy.fix(),
            "command", remedy.command()));
  }

  void add(String fact, String value) {
    rows.add(List.of(fact, value));
    tree.put(fact, value);
  }

  /** Of a fact that may have several values. */
  void add(String fact, List<String> values) {
    values.forEach(value -> rows.add(List.of(fact, value)));
    tree.put(fact, values);
  }

  void addUnread(String what, Fact<?> fact) {
    if (fact instanceof Fact.Unread<?>(var why)) {
      unread.add(what + ": " + why);
    }
  }

  void addUnread(DeletionFacts deletion, SyncFacts facts) {
    unread.addAll(deletion.unread());
    addUnread("the workspace's APIBindings", facts.bindings());
    addUnread("the dependency webhook", deletion.webhook());
  }

  /** Prints everything, what was not read last, and returns the exit status. */
  int print(OutputOptions output) {
    add("not read", unread);
    output.print(new Table(COLUMNS, rows), tree);
    return isToBeCorrected || state.isTrouble() ? ExitCode.FOUND : ExitCode.OK;
  }
}
