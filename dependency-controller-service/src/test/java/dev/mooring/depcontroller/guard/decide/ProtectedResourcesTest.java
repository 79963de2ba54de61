package dev.mooring.depcontroller.guard.decide;

import static dev.mooring.depcontroller.Fixtures.advisory;
import static dev.mooring.depcontroller.Fixtures.bound;
import static dev.mooring.depcontroller.Fixtures.deletions;
import static dev.mooring.depcontroller.Fixtures.enforced;
import static dev.mooring.depcontroller.Fixtures.exporting;
import static dev.mooring.depcontroller.Fixtures.located;
import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.reading;
import static dev.mooring.depcontroller.Fixtures.resolvedRules;
import static dev.mooring.depcontroller.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.ResolvedRules.ExportKey;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.Resolution.Absent;
import dev.mooring.depcontroller.workspace.decide.Resolution.Known;
import dev.mooring.depcontroller.workspace.decide.Resolution.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution.Unknown;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedResourcesTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final WorkspacePath PATH = new WorkspacePath("root:network");
  private static final ExportKey OWN_EXPORT =
      new ExportKey(new LogicalCluster("compute1"), "compute.example.com");
  private static final WorkspacePath OTHER = new WorkspacePath("root:other");

  @Test
  void unitesWhatAllRulesSayAboutOneWorkspace() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), OTHER, new Known(new LogicalCluster("other1"))),
            rule("a", on("root:network", "vpcs"), on("root:network", "vpcs")),
            rule("b", on("root:network", "subnets"), on("root:other", "zones")));

    assertThat(wanted.coverage()).isEqualTo(deletions("subnets", "vpcs"));
    assertThat(wanted.certainty()).isEqualTo(new Certainty.AllKnown());
  }

  @Test
  void countsTwoPathsOfOneWorkspace() {
    var alias = new WorkspacePath("xk2h:network");
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), alias, new Known(NETWORK)),
            rule("a", on("root:network", "vpcs")),
            rule("b", on("xk2h:network", "subnets")));

    assertThat(wanted.coverage()).isEqualTo(deletions("subnets", "vpcs"));
  }

  @Test
  void leavesOutWhatLeadsNowhere() {
    var wanted = in(Map.of(PATH, new Absent("deleted")), rule("a", on("root:network", "vpcs")));

    assertThat(wanted.coverage()).isEqualTo(Coverage.NONE);
    assertThat(wanted.certainty()).isEqualTo(new Certainty.AllKnown());
  }

  @Test
  void mayBeMoreWhileAPathCannotBeResolved() {
    var wanted = in(Map.of(PATH, new Unknown("403")), rule("a", on("root:network", "vpcs")));

    assertThat(wanted.certainty()).isEqualTo(doubtAbout("a"));
  }

  @Test
  void mayBeMoreWhileAPathHasNotBeenLookedUp() {
    DependencyRule rule = rule("a", on("root:network", "vpcs"));

    assertThat(in(Map.of(), rule).certainty()).isEqualTo(doubtAbout("a"));
    assertThat(in(Map.of(PATH, new Pending()), rule).certainty()).isEqualTo(doubtAbout("a"));
  }

  @Test
  void anUnknownPathElsewhereDoesNotKeepAKnownWorkspaceFromShrinking() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), OTHER, new Unknown("403")),
            rule("a", on("root:network", "vpcs"), on("root:other", "zones")));

    assertThat(wanted.certainty()).isEqualTo(new Certainty.AllKnown());
  }

  @Test
  void anUnknownPathByClusterNameMayMeanAnyWorkspaceWhosePathKcpDoesNotTell() {
    var alias = new WorkspacePath("xk2h:network");
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), alias, new Unknown("403")),
            rule("a", on("root:network", "vpcs"), on("xk2h:network", "zones")));

    assertThat(wanted.certainty()).isEqualTo(doubtAbout("a"));
  }

  @Test
  void anUnknownPathMayMeanThisWorkspaceThoughItDiffersFromThatOfAnother() {
    var wanted =
        in(
            Map.of(PATH, new Unknown("403"), OTHER, new Known(new LogicalCluster("other1"))),
            rule("a", on("root:network", "vpcs")),
            rule("b", on("root:other", "zones")));

    assertThat(wanted.certainty()).isEqualTo(doubtAbout("a"));
  }

  @Test
  void leavesOutRulesWithoutAuthorityAndIsCertainOfIt() {
    ResolvedRules known =
        resolvedRules(Map.of(PATH, new Known(NETWORK)), rule("rogue", on("root:network", "vpcs")));
    var exports = new HashMap<>(known.exports());
    exports.replace(OWN_EXPORT, new ExportReading.Absent());

    var wanted = ProtectedResources.in(NETWORK, reading(exports, known));

    assertThat(wanted).isEqualTo(new ProtectedResources(Coverage.NONE, new Certainty.AllKnown()));
  }

  @Test
  void countsARuleWhoseAuthorityCannotBeRead() {
    ResolvedRules known =
        resolvedRules(Map.of(PATH, new Known(NETWORK)), rule("a", on("root:network", "vpcs")));
    var exports = new HashMap<>(known.exports());
    exports.replace(OWN_EXPORT, new ExportReading.Unreadable("403"));

    var wanted = ProtectedResources.in(NETWORK, reading(exports, known));

    assertThat(wanted)
        .isEqualTo(new ProtectedResources(deletions("vpcs"), new Certainty.AllKnown()));
  }

  @Test
  void neitherAddsNorDropsWhatIsNotEvaluatedYet() {
    ResolvedRules known =
        resolvedRules(Map.of(PATH, new Known(NETWORK)), rule("a", on("root:network", "vpcs")));

    var wanted = ProtectedResources.in(NETWORK, reading(Map.of(), known));

    assertThat(wanted).isEqualTo(new ProtectedResources(Coverage.NONE, doubtAbout("a")));
  }

  @Test
  void anUnresolvedPathOfARuleWithoutAuthorityKeepsNothing() {
    ResolvedRules known =
        resolvedRules(Map.of(PATH, new Unknown("403")), rule("a", on("root:network", "vpcs")));
    var denied =
        reading(
            Map.of(OWN_EXPORT, exporting(new GroupResource("other.example.com", "others"))), known);

    assertThat(ProtectedResources.in(NETWORK, denied).certainty())
        .isEqualTo(new Certainty.AllKnown());
  }

  @Test
  void guardsReferencesInTheWorkspaceOfTheRule() {
    var race = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("root:network", "vpcs"));
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), race);

    assertThat(ProtectedResources.in(race.key().cluster(), known))
        .isEqualTo(
            new ProtectedResources(
                new Coverage(
                    new TreeMap<>(),
                    new TreeMap<>(Map.of(race.dependent().type(), ReferenceGuard.OBJECT))),
                new Certainty.AllKnown()));
    assertThat(ProtectedResources.in(NETWORK, known).coverage().references()).isEmpty();
  }

  @Test
  void guardsTheStatusWhereOneOfTheRulesReadsIt() {
    var plain = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("root:network", "vpcs"));
    var status =
        enforced(
            Bypass.ANNOTATION,
            RaceProtection.STRICT,
            "b",
            on("root:network", "subnets", ".status.subnet"));
    LogicalCluster author = plain.key().cluster();

    assertThat(
            ProtectedResources.in(
                    author, resolvedRules(Map.of(PATH, new Known(NETWORK)), plain, status))
                .coverage()
                .references())
        .containsExactly(Map.entry(plain.dependent().type(), ReferenceGuard.OBJECT_AND_STATUS));
  }

  @Test
  void keepsGuardingReferencesWhileATargetCannotBeResolved() {
    var race = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("root:network", "vpcs"));

    assertThat(
            ProtectedResources.in(
                    race.key().cluster(), resolvedRules(Map.of(PATH, new Unknown("403")), race))
                .certainty())
        .isEqualTo(doubtAbout("a"));
    assertThat(
            ProtectedResources.in(
                race.key().cluster(), resolvedRules(Map.of(PATH, new Absent("gone")), race)))
        .isEqualTo(new ProtectedResources(Coverage.NONE, new Certainty.AllKnown()));
  }

  /** Its author can read the configuration, and must not learn from it what others have. */
  @Test
  void guardsNoReferencesToWhatAProviderHasThatTakesNoPart() {
    var race = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("root:network", "vpcs"));
    LogicalCluster author = race.key().cluster();
    var nothing = new ProtectedResources(Coverage.NONE, new Certainty.AllKnown());

    assertThat(
            Stream.of(new Known(NETWORK), new Absent("gone"), new Unknown("403"), new Pending())
                .map(to -> bound(Map.of(), resolvedRules(Map.of(PATH, to), race)))
                .map(seen -> located(Map.of(author, new WorkspacePath("root:compute")), seen))
                .map(seen -> ProtectedResources.in(author, seen)))
        .containsOnly(nothing);
  }

  @Test
  void keepsGuardingReferencesWhileAPathMayLeadToAProviderThatTakesPart() {
    var race = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("xk2h:network", "vpcs"));
    var alias = new WorkspacePath("xk2h:network");
    ResolvedRules seen =
        bound(
            Map.of(NETWORK, new WorkspacePath("root:providers:network")),
            resolvedRules(Map.of(alias, new Unknown("403")), race));

    assertThat(ProtectedResources.in(race.key().cluster(), seen).certainty())
        .isEqualTo(doubtAbout("a"));
  }

  @Test
  void neitherAddsNorDropsTheGuardOfReferencesOfARuleThatIsNotEvaluatedYet() {
    var race = enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "a", on("root:network", "vpcs"));
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), race);
    LogicalCluster author = race.key().cluster();

    assertThat(ProtectedResources.in(author, reading(Map.of(), known)))
        .isEqualTo(new ProtectedResources(Coverage.NONE, doubtAbout("a")));
    assertThat(
            ProtectedResources.in(author, resolvedRules(Map.of(PATH, new Pending()), race))
                .certainty())
        .isEqualTo(doubtAbout("a"));
  }

  @Test
  void guardsAsTheStrictestOfAllRulesWants() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK)),
            rule("a", on("root:network", "vpcs")),
            enforced(
                Bypass.REQUIRE_PERMISSION, RaceProtection.NONE, "b", on("root:network", "vpcs")),
            enforced(Bypass.ANNOTATION, RaceProtection.STRICT, "c", on("root:network", "vpcs")));

    assertThat(wanted.coverage().deletions().values())
        .containsExactly(new DeletionGuard(Bypass.REQUIRE_PERMISSION, RaceProtection.STRICT));
  }

  @ParameterizedTest
  @EnumSource(names = {"WARN", "AUDIT"})
  void neitherNeedsAnAnswerNorGuardsReferencesForARuleThatRefusesNothing(Mode mode) {
    var told =
        advisory(
            mode,
            Bypass.REQUIRE_PERMISSION,
            RaceProtection.STRICT,
            "a",
            on("root:network", "vpcs"));
    ResolvedRules known = resolvedRules(Map.of(PATH, new Known(NETWORK)), told);

    assertThat(ProtectedResources.in(NETWORK, known).coverage().deletions().values())
        .containsExactly(DeletionGuard.WARNING);
    assertThat(ProtectedResources.in(told.key().cluster(), known))
        .isEqualTo(new ProtectedResources(Coverage.NONE, new Certainty.AllKnown()));
  }

  @Test
  void aRuleThatRefusesNothingMakesTheOthersNoStricter() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK)),
            advisory(
                Mode.AUDIT,
                Bypass.REQUIRE_PERMISSION,
                RaceProtection.STRICT,
                "a",
                on("root:network", "vpcs")),
            rule("b", on("root:network", "vpcs")));

    assertThat(wanted.coverage()).isEqualTo(deletions("vpcs"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"root:nope:network", "rot:providers:network", "xk2h:dns", "xk2h:s:network"})
  void aPathThatCannotLeadToAProviderWhosePathKcpTellsKeepsNothingThere(String path) {
    var unknown = new WorkspacePath(path);

    assertThat(
            inProviders(
                resolvedRules(Map.of(unknown, new Unknown("404")), rule("a", on(path, "x")))))
        .isEqualTo(new ProtectedResources(Coverage.NONE, new Certainty.AllKnown()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"root:providers:network", "xk2h:network"})
  void aPathThatMayLeadToAProviderKeepsWhatIsThere(String path) {
    var unknown = new WorkspacePath(path);

    assertThat(
            inProviders(
                    resolvedRules(Map.of(unknown, new Unknown("404")), rule("a", on(path, "vpcs"))))
                .certainty())
        .isEqualTo(doubtAbout("a"));
  }

  private static ProtectedResources inProviders(ResolvedRules resolvedRules) {
    return ProtectedResources.in(
        NETWORK,
        located(Map.of(NETWORK, new WorkspacePath("root:providers:network")), resolvedRules));
  }

  private static Certainty doubtAbout(String... rules) {
    var keys = new TreeSet<ObjectKey>();
    for (String name : rules) {
      keys.add(rule(name, on("root:network", "vpcs")).key());
    }
    return new Certainty.MayBeMore(keys);
  }

  private static ProtectedResources in(
      Map<WorkspacePath, Resolution> resolutions, DependencyRule... rules) {
    return ProtectedResources.in(NETWORK, resolvedRules(resolutions, rules));
  }
}
