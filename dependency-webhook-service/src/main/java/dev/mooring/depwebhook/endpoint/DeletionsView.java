package dev.mooring.depwebhook.endpoint;

import dev.mooring.console.Cell;
import dev.mooring.console.Query;
import dev.mooring.console.Section;
import dev.mooring.console.Statement;
import dev.mooring.console.Tone;
import dev.mooring.console.View;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** The console's page of one deletion: what {@link BlockersEndpoint} answers. */
record DeletionsView(BlockersEndpoint blockers) {
  private static final String PATH = "deletions";
  private static final String CLUSTER = "cluster";
  private static final String RESOURCE = "resource";
  private static final String NAMESPACE = "namespace";
  private static final String NAME = "name";
  private static final List<String> SENTENCES =
      List.of("message", "problem", "reason", "warnings", "audits");

  View view() {
    return new View(PATH, "Deletions", "/actuator/blockers", this::sections);
  }

  private List<Section> sections(Query query) {
    var sections = new ArrayList<Section>();
    sections.add(
        new Section.Search(
            "What blocks a deletion",
            PATH,
            List.of(
                Section.Field.text(
                    CLUSTER,
                    "Workspace",
                    "its path, such as root:team-blue, or its logical cluster",
                    query.text(CLUSTER)),
                Section.Field.text(
                    RESOURCE, "Type", "such as vpcs.network.example.com", query.text(RESOURCE)),
                Section.Field.text(
                    NAMESPACE,
                    "Namespace",
                    "empty for a cluster-scoped object",
                    query.text(NAMESPACE)),
                Section.Field.text(NAME, "Name", "", query.text(NAME)))));
    if (!query.text(NAME).isEmpty()) {
      sections.addAll(answer(query));
    }
    return sections;
  }

  private List<Section> answer(Query query) {
    try {
      Map<String, Object> answer =
          Optional.ofNullable(
                  blockers
                      .blockers(
                          query.text(CLUSTER),
                          query.text(RESOURCE),
                          query.text(NAMESPACE),
                          query.text(NAME),
                          null)
                      .getBody())
              .orElse(Map.of());
      return answer.containsKey("deletion")
          ? explained(answer)
          : List.of(answer("Answer", Tone.ATTENTION, Trees.text(answer, "message")));
    } catch (InvalidEndpointRequestException e) {
      return List.of(answer("Answer", Tone.ATTENTION, String.valueOf(e.getReason())));
    }
  }

  private static List<Section> explained(Map<String, Object> answer) {
    String deletion = Trees.text(answer, "deletion");
    var details = new ArrayList<String>();
    SENTENCES.forEach(key -> {
      switch (answer.get(key)) {
        case null -> {}
        case List<?> many -> many.forEach(each -> details.add(each.toString()));
        case Object one -> one.toString().lines().forEach(details::add);
      }
    });
    Trees.list(answer, "deniedBy").forEach(rule -> details.add("Denied by rule " + rule));
    Trees.list(answer, "bypassed").forEach(rule -> details.add("Bypassed rule " + rule));
    return List.of(
        new Section.Statements(
            Trees.text(answer, "target"),
            List.of(
                new Statement(
                    deletion.equals("allowed") ? Tone.GOOD : Tone.ATTENTION,
                    "The deletion would be " + deletion + ".",
                    details))),
        new Section.Table(
            "Rules that were considered",
            "Rules: " + Trees.list(answer, "rules").size(),
            List.of("Rule", "Dependent", "Field", "Mode", "Consistency"),
            Trees.list(answer, "rules").stream()
                .limit(100)
                .map(Trees::mapOrEmpty)
                .map(rule ->
                    List.of(
                        cell(rule, "rule"),
                        cell(rule, "dependent"),
                        cell(rule, "field"),
                        cell(rule, "mode"),
                        cell(rule, "consistency")))
                .toList(),
            Section.Pages.ONE));
  }

  private static Cell cell(Map<String, Object> rule, String key) {
    return Cell.of(Trees.textOrEmpty(rule.get(key)));
  }

  private static Section answer(String heading, Tone tone, String text) {
    return new Section.Statements(heading, List.of(Statement.of(tone, text)));
  }
}
