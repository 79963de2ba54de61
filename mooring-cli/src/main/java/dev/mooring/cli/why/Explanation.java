package dev.mooring.cli.why;

import dev.mooring.cli.output.Table;
import dev.mooring.cli.why.decide.Cause;
import dev.mooring.cli.why.decide.Cause.Finding;
import dev.mooring.cli.why.decide.Cause.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answer of {@code mooring why}: the cause first, then what is known. */
final class Explanation {
  private static final List<String> COLUMNS = List.of("FACT", "VALUE");

  private final List<List<String>> rows = new ArrayList<>();
  private final Map<String, Object> tree = new LinkedHashMap<>();
  private final State state;

  /**
   * @param otherwise the state if there is no cause
   */
  Explanation(String object, Optional<Cause> cause, State otherwise) {
    this.state = cause.map(found -> found.finding().state()).orElse(otherwise);
    add("object", object);
    add("state", state.name());
    cause.ifPresent(this::add);
  }

  private void add(Cause cause) {
    Finding finding = cause.finding();
    rows.add(List.of("cause", finding.reason() + ": " + finding.message()));
    finding.evidence().forEach(line -> rows.add(List.of("evidence", line)));
    rows.add(List.of("fix", finding.fix()));
    var described = new LinkedHashMap<String, Object>();
    described.put("check", cause.check());
    described.put("reason", finding.reason());
    described.put("message", finding.message());
    described.put("evidence", finding.evidence());
    described.put("fix", finding.fix());
    tree.put("cause", described);
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

  State state() {
    return state;
  }

  Table table() {
    return new Table(COLUMNS, rows);
  }

  Map<String, Object> tree() {
    return tree;
  }
}
