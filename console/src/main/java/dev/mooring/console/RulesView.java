package dev.mooring.console;

import dev.mooring.console.GraphLayout.Edge;
import dev.mooring.console.GraphLayout.Place;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A page of DependencyRules: which objects block the deletion of which, as a drawing and as a
 * table. The drawing has what the page of the table has.
 */
public final class RulesView {
  private static final String PATH = "rules";
  private static final String TEXT = "text";

  /** Rules that protect nothing and are listed. */
  private static final int INVALID_MAX = 50;

  private static final int WIDTH = 300;
  private static final int HEIGHT = 48;
  private static final int COLUMN = 420;
  private static final int ROW = 72;
  private static final int MARGIN = 12;

  /** Characters that fit a box. */
  private static final int LABEL_MAX = 34;

  private final Supplier<Rules> source;

  /**
   * What a service knows of rules.
   *
   * @param invalid rules that protect nothing, a sentence each
   */
  public record Rules(List<Dependency> dependencies, List<String> invalid) {}

  /**
   * One dependency of one rule: objects of the dependent type block deletions of the target.
   *
   * @param rule as messages name it
   * @param field of the dependent that refers to the target
   * @param state whether the rule is in force, and why not
   */
  public record Dependency(
      String rule, Type dependent, Type target, String field, Mode mode, Cell state) {
    /**
     * @param author the workspace of the rule and of its dependents' type
     * @param provider the workspace of the target's type
     */
    public static Dependency of(
        DependencyRule rule,
        DependencyRule.Dependency dependency,
        String author,
        String provider,
        Cell state) {
      return new Dependency(
          rule.qualifiedName(),
          new Type(GroupResource.of(rule.dependent().type()).toString(), author),
          new Type(GroupResource.of(dependency.target()).toString(), provider),
          dependency.field().text(),
          rule.enforcement().mode(),
          state);
    }

    boolean contains(String text) {
      return Stream.of(
              rule,
              dependent.name(),
              dependent.workspace(),
              target.name(),
              target.workspace(),
              field,
              mode.text(),
              state.text())
          .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(text));
    }
  }

  /**
   * A type of one provider.
   *
   * @param workspace its path, or its logical cluster if that is not known
   */
  public record Type(String name, String workspace) {}

  private RulesView(Supplier<Rules> source) {
    this.source = source;
  }

  /**
   * @param source called for each request
   */
  public static View of(Supplier<Rules> source) {
    return new View(PATH, "Rules", "/actuator/status", new RulesView(source)::sections);
  }

  private List<Section> sections(Query query) {
    Rules rules = source.get();
    String text = query.lowerCase(TEXT);
    Paging<Dependency> page =
        Paging.of(
            rules.dependencies().stream()
                .filter(dependency -> dependency.contains(text))
                .sorted(
                    Comparator.<Dependency, String>comparing(each -> each.target().name())
                        .thenComparing(each -> each.target().workspace())
                        .thenComparing(each -> each.dependent().name())
                        .thenComparing(Dependency::rule)
                        .thenComparing(Dependency::field))
                .toList(),
            query);
    var sections = new ArrayList<Section>();
    sections.add(
        new Section.Search(
            "Find rules",
            PATH,
            List.of(
                Section.Field.text(
                    TEXT,
                    "Text",
                    "part of a type, workspace, rule, field, mode or state",
                    query.text(TEXT)))));
    List<Statement> invalid =
        rules.invalid().stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).contains(text))
            .limit(INVALID_MAX)
            .map(each -> Statement.of(Tone.BAD, each))
            .toList();
    if (!invalid.isEmpty()) {
      sections.add(new Section.Statements("Invalid rules", invalid));
    }
    if (!page.items().isEmpty()) {
      sections.add(diagram(page.items()));
    }
    sections.add(
        new Section.Table(
            "Dependencies",
            page.note("Dependencies of rules"),
            List.of("Deletions of", "Are blocked by", "Field that refers", "Rule", "Mode", "State"),
            page.items().stream().map(RulesView::row).toList(),
            page.links(PATH, query)));
    return sections;
  }

  private static List<Cell> row(Dependency dependency) {
    return List.of(
        type(dependency.target()),
        type(dependency.dependent()),
        Cell.of(dependency.field()),
        Cell.of(dependency.rule()),
        Cell.of(dependency.mode().text()),
        dependency.state());
  }

  private static Cell type(Type type) {
    return Cell.link(type.name() + " of " + type.workspace(), link(type));
  }

  private static String link(Type type) {
    return Link.to(PATH, Map.of(TEXT, type.name()));
  }

  private static Section diagram(List<Dependency> dependencies) {
    var found = new LinkedHashSet<Type>();
    dependencies.forEach(each -> {
      found.add(each.dependent());
      found.add(each.target());
    });
    List<Type> types = List.copyOf(found);
    List<Place> places =
        GraphLayout.places(
            types.size(),
            dependencies.stream()
                .map(
                    each -> new Edge(types.indexOf(each.dependent()), types.indexOf(each.target())))
                .distinct()
                .toList());
    var boxes = new ArrayList<Section.Box>();
    for (int i = 0; i < types.size(); i++) {
      Type type = types.get(i);
      boxes.add(
          new Section.Box(
              x(places.get(i)),
              y(places.get(i)),
              WIDTH,
              HEIGHT,
              shortened(type.name()),
              shortened(type.workspace()),
              type.name() + " of " + type.workspace(),
              link(type)));
    }
    return new Section.Diagram(
        "Graph",
        "An arrow leads from the objects that block to the objects that they keep from being"
            + " deleted. Solid arrows deny, dashed arrows warn, dotted arrows audit. The table has the"
            + " same rules.",
        boxes.stream().mapToInt(box -> box.x() + box.width()).max().orElse(0) + 4 * MARGIN,
        boxes.stream().mapToInt(box -> box.y() + box.height()).max().orElse(0) + 4 * MARGIN,
        boxes,
        dependencies.stream()
            .map(each ->
                new Section.Arrow(
                    path(
                        places.get(types.indexOf(each.dependent())),
                        places.get(types.indexOf(each.target()))),
                    each.mode().text().toLowerCase(Locale.ROOT),
                    each.rule() + ": " + each.field()))
            .toList());
  }

  private static int x(Place place) {
    return MARGIN + place.column() * COLUMN;
  }

  private static int y(Place place) {
    return MARGIN + place.row() * ROW;
  }

  /** From the right side of the one box to the left side of the other, or back below both. */
  private static String path(Place from, Place to) {
    int startX = x(from) + WIDTH;
    int startY = y(from) + HEIGHT / 2;
    int endX = x(to);
    int endY = y(to) + HEIGHT / 2;
    int bend = COLUMN - WIDTH;
    if (to.column() > from.column()) {
      return "M%d %dC%d %d %d %d %d %d"
          .formatted(
              startX, startY, startX + bend / 2, startY, endX - bend / 2, endY, endX - 4, endY);
    }
    // Back: from the lower edge of the one to the lower edge of the other.
    int low = Math.max(y(from), y(to)) + HEIGHT + ROW / 3;
    return "M%d %dC%d %d %d %d %d %d"
        .formatted(
            startX - WIDTH / 4,
            y(from) + HEIGHT,
            startX - WIDTH / 4,
            low,
            endX + WIDTH / 4,
            low,
            endX + WIDTH / 4,
            y(to) + HEIGHT + 4);
  }

  private static String shortened(String text) {
    return text.length() <= LABEL_MAX ? text : text.substring(0, LABEL_MAX - 1) + "…";
  }
}
