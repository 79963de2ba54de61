package dev.mooring.syncagent.endpoint;

import dev.mooring.console.Cell;
import dev.mooring.console.Link;
import dev.mooring.console.Paging;
import dev.mooring.console.Query;
import dev.mooring.console.Section;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.sync.ObjectSync;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The console's page of PublishedResources: counts, lag and errors, and conditions of one. */
record PublishedView(SyncAgent agent) {
  static final String PATH = "published";
  private static final String NAME = "name";
  private static final List<String> COLUMNS =
      List.of(
          "Name",
          "State",
          "Type in kcp",
          "Objects",
          "Synced",
          "Pending",
          "Failed",
          "Queued",
          "Oldest unsynced",
          "Error");

  View view() {
    return new View(PATH, "PublishedResources", "/actuator/status", this::sections);
  }

  private List<Section> sections(Query query) {
    Map<String, Object> all = Trees.map(agent.describe(), "publishedResources");
    String asked = query.lowerCase(NAME);
    Set<String> failing =
        agent.syncs().stream()
            .filter(
                sync -> sync.lastFailure().isPresent() || sync.status().countsSoFar().failed() > 0)
            .map(ObjectSync::publishedName)
            .collect(Collectors.toSet());
    Paging<String> page =
        Paging.of(
            all.keySet().stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).contains(asked))
                .sorted(
                    Comparator.comparing((String name) -> !failing.contains(name))
                        .thenComparing(Comparator.naturalOrder()))
                .toList(),
            query);
    var sections = new ArrayList<Section>();
    sections.add(
        new Section.Search(
            "Find PublishedResources",
            PATH,
            List.of(
                Section.Field.text(
                    NAME, "Name", "part of the name; empty for all", query.text(NAME)))));
    sections.add(
        new Section.Table(
            "PublishedResources",
            page.note("PublishedResources"),
            COLUMNS,
            page.items().stream().map(name -> row(name, Trees.mapOrEmpty(all.get(name)))).toList(),
            page.links(PATH, query)));
    if (page.items().size() == 1) {
      sections.add(conditions(Trees.mapOrEmpty(all.get(page.items().getFirst()))));
    }
    return sections;
  }

  private List<Cell> row(String name, Map<String, Object> described) {
    Map<String, Object> synced = Trees.map(described, "sync");
    Optional<ObjectSync> sync =
        agent.syncs().stream().filter(each -> each.publishedName().equals(name)).findFirst();
    if (sync.isEmpty()) {
      var cells = new ArrayList<Cell>(Collections.nCopies(COLUMNS.size(), Cell.of("")));
      cells.set(0, Cell.link(name, Link.to(PATH, Map.of(NAME, name))));
      cells.set(1, Cell.of(Tone.ATTENTION, "not synced"));
      cells.set(cells.size() - 1, Cell.of(firstProblem(described)));
      return cells;
    }
    ObjectCounts counts = sync.get().status().countsSoFar();
    String error =
        sync.get()
            .lastFailure()
            .map(Throwable::getMessage)
            .or(() -> sync.get().status().problems().stream().findFirst().map(Problem::message))
            .orElse(firstProblem(described));
    return List.of(
        Cell.link(name, Link.to(PATH, Map.of(NAME, name))),
        state(sync.get(), counts, error),
        Cell.of(Trees.text(synced, "type")),
        Cell.link(
            Long.toString(counts.synced() + counts.pending() + counts.failed()),
            Link.to(ObjectsView.PATH, Map.of(ObjectsView.RESOURCE, name))),
        Cell.of(counts.synced()),
        Cell.of(counts.pending()),
        Cell.of(counts.failed()),
        Cell.of(sync.get().status().queued()),
        Cell.of(words(sync.get().status().oldestUnsynced())),
        Cell.of(error));
  }

  private static Cell state(ObjectSync sync, ObjectCounts counts, String error) {
    if (sync.lastFailure().isPresent()) {
      return Cell.of(Tone.BAD, "cannot be listed");
    }
    if (!sync.isSynced()) {
      return Cell.of(Tone.NEUTRAL, "being listed");
    }
    if (counts.failed() > 0) {
      return Cell.of(Tone.ATTENTION, "some objects fail");
    }
    if (counts.pending() > 0) {
      return Cell.of(Tone.NEUTRAL, "syncing");
    }
    return error.isEmpty()
        ? Cell.of(Tone.GOOD, "synced")
        : Cell.of(Tone.ATTENTION, "a condition fails");
  }

  /** Of conditions that are not True. */
  private static String firstProblem(Map<String, Object> described) {
    return conditionsOf(described).stream()
        .filter(condition -> !"True".equals(condition.get("status")))
        .findFirst()
        .map(condition -> Trees.text(condition, "reason") + ": " + Trees.text(condition, "message"))
        .orElse("");
  }

  private static List<Map<String, Object>> conditionsOf(Map<String, Object> described) {
    return described.get("conditions") instanceof List<?> conditions
        ? conditions.stream().map(Trees::mapOrEmpty).toList()
        : List.of();
  }

  private static Section conditions(Map<String, Object> described) {
    List<List<Cell>> rows =
        conditionsOf(described).stream()
            .map(condition ->
                List.of(
                    Cell.of(Trees.text(condition, "type")),
                    "True".equals(condition.get("status"))
                        ? Cell.of(Tone.GOOD, "True")
                        : Cell.of(Tone.ATTENTION, Trees.text(condition, "status")),
                    Cell.of(Trees.text(condition, "reason")),
                    Cell.of(Trees.text(condition, "message"))))
            .toList();
    return new Section.Table(
        "Conditions",
        "Conditions: " + rows.size(),
        List.of("Type", "Status", "Reason", "Message"),
        rows,
        Section.Pages.ONE);
  }

  /** In seconds, or minutes, or hours; empty for none. */
  static String words(Duration age) {
    if (age.isZero() || age.isNegative()) {
      return "";
    }
    if (age.toMinutes() < 2) {
      return age.toSeconds() + " s";
    }
    return age.toHours() < 2 ? age.toMinutes() + " min" : age.toHours() + " h";
  }
}
