package dev.mooring.depcontroller.rules.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DependencyCyclesTest {
  @Test
  void findsNoneWhereTypesDependInOneDirection() {
    assertThat(cycles("a > b", "a > c", "b > c", "c > d")).isEmpty();
  }

  @Test
  void namesTheShortestCycleThroughEachRule() {
    assertThat(cycles("a > b", "b > c", "c > a", "c > b", "x > a"))
        .isEqualTo(
            Map.of(
                "a>b", "as.x.io → bs.x.io → cs.x.io → as.x.io",
                "b>c", "bs.x.io → cs.x.io → bs.x.io",
                "c>a", "cs.x.io → as.x.io → bs.x.io → cs.x.io",
                "c>b", "cs.x.io → bs.x.io → cs.x.io"));
  }

  @Test
  void namesATypeThatRefersToItself() {
    assertThat(cycles("a > a", "a > b")).isEqualTo(Map.of("a>a", "as.x.io → as.x.io"));
  }

  @Test
  void keepsTwoCyclesApart() {
    assertThat(cycles("a > b", "b > a", "c > d", "d > c", "b > c").keySet())
        .containsExactlyInAnyOrder("a>b", "b>a", "c>d", "d>c");
  }

  @Test
  void tellsTypesOfTwoProvidersApart() {
    DependencyRule rule = rule("a", "b");
    DependencyRule elsewhere =
        new DependencyRule(
            new ObjectKey(new LogicalCluster("other"), "", "b>a"),
            1,
            rule("b", "a").dependent(),
            rule("b", "a").dependencies());

    assertThat(DependencyCycles.in(resolvedRules(rule, elsewhere))).isEmpty();
  }

  @Test
  void boundsWhatItNames() {
    assertThat(cycles(ring(40)).values()).hasSize(40).allMatch(text -> text.endsWith(" → …"));
  }

  @Test
  void namesTheBeginOfACycleThroughMoreTypesThanItSearches() {
    assertThat(cycles(ring(400))).hasSize(400).containsEntry("t7>t8", "t7s.x.io → t8s.x.io → …");
  }

  private static String[] ring(int types) {
    return IntStream.range(0, types)
        .mapToObj(i -> "t" + i + " > t" + (i + 1) % types)
        .toArray(String[]::new);
  }

  @Test
  void survivesALongChain() {
    String[] chain =
        IntStream.range(0, 5000).mapToObj(i -> "t" + i + " > t" + (i + 1)).toArray(String[]::new);

    assertThat(cycles(chain)).isEmpty();
  }

  /** By rule, each of which is {@code dependent > target}, all of one provider. */
  private static Map<String, String> cycles(String... rules) {
    DependencyRule[] made =
        Stream.of(rules)
            .map(text -> text.split(" > "))
            .map(types -> rule(types[0], types[1]))
            .toArray(DependencyRule[]::new);
    var found = new TreeMap<String, String>();
    DependencyCycles.in(resolvedRules(made)).forEach((key, text) -> found.put(key.name(), text));
    return found;
  }

  private static ResolvedRules resolvedRules(DependencyRule... rules) {
    return new ResolvedRules(
        Stream.of(rules).<RuleReading>map(RuleReading.Valid::new).toList(),
        Map.of(new WorkspacePath("root:p"), new Resolution.Known(new LogicalCluster("p"))),
        Map.of(),
        Map.of(),
        Map.of(),
        new Participants(Set.of(new LogicalCluster("p")), Set.of()));
  }

  private static DependencyRule rule(String dependent, String target) {
    return new DependencyRule(
        new ObjectKey(new LogicalCluster("p"), "", dependent + ">" + target),
        1,
        new Dependent("x.io", type(dependent), "Kind"),
        List.of(
            new Dependency(
                new ExportReference(new WorkspacePath("root:p"), "x.io"),
                type(target),
                new FieldPath(".spec.ref.name"))));
  }

  private static ResourceType type(String name) {
    return new ResourceType("x.io", "v1", name + "s");
  }
}
