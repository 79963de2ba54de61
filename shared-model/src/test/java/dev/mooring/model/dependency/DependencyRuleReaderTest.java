package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependencyRuleReaderTest {
  private static final String[] OLDER_REFERENCE = {"spec", "dependent", "apiExportRef"};

  @Test
  void readsEveryFieldOfARule() {
    RuleReading reading = DependencyRuleReader.read(Rules.vmNeedsVpc());

    assertThat(reading)
        .isEqualTo(
            new RuleReading.Valid(
                new DependencyRule(
                    new ObjectKey(new LogicalCluster("compute1"), "", "vm-dependencies"),
                    3,
                    new Dependent(
                        "compute.example.com",
                        new ResourceType("compute.example.com", "v1alpha1", "virtualmachines"),
                        "VirtualMachine"),
                    List.of(
                        new Dependency(
                            new ExportReference(
                                new WorkspacePath("root:providers:network"), "network.example.com"),
                            new ResourceType("network.example.com", "v1alpha1", "vpcs"),
                            new FieldPath(".spec.vpcRef.name"))))));
  }

  @Test
  void acceptsTheCoreGroupAsDependent() {
    KubeObject rule =
        Rules.vmNeedsVpc()
            .with("", "spec", "dependent", "group")
            .with("v1", "spec", "dependent", "version")
            .with("configmaps", "spec", "dependent", "resource")
            .with("ConfigMap", "spec", "dependent", "kind");

    assertThat(DependencyRuleReader.read(rule))
        .isInstanceOfSatisfying(
            RuleReading.Valid.class,
            valid ->
                assertThat(valid.rule().dependent().type())
                    .isEqualTo(ResourceType.core("configmaps")));
  }

  /** Whatever the path says: the export is one of the rule's own workspace. */
  @ParameterizedTest
  @ValueSource(strings = {"root:providers:compute", "root:somebody:else", "not a path", ""})
  void readsTheReferenceToAnExportThatOlderRulesHave(String path) {
    assertThat(
            DependencyRuleReader.read(older(Map.of("path", path, "name", "compute.example.com"))))
        .isEqualTo(DependencyRuleReader.read(Rules.vmNeedsVpc()));
  }

  @Test
  void takesAReferenceWithANameThatSaysTheSame() {
    KubeObject both =
        Rules.vmNeedsVpc().with(Map.of("name", "compute.example.com"), OLDER_REFERENCE);

    assertThat(DependencyRuleReader.read(both))
        .isEqualTo(DependencyRuleReader.read(Rules.vmNeedsVpc()));
  }

  @Test
  void namesBothExportsIfTheOlderReferenceIsToAnother() {
    KubeObject both = Rules.vmNeedsVpc().with(Map.of("name", "other.example.com"), OLDER_REFERENCE);

    assertThat(problems(DependencyRuleReader.read(both)))
        .containsExactly(
            "spec.dependent.apiExportName is \"compute.example.com\", but"
                + " spec.dependent.apiExportRef.name is \"other.example.com\"");
  }

  @Test
  void namesWhatIsWrongWithAnOlderReference() {
    assertThat(problems(DependencyRuleReader.read(older(Map.of("path", "root:compute")))))
        .containsExactly("spec.dependent.apiExportRef.name is missing");
    assertThat(problems(DependencyRuleReader.read(older(Map.of("name", "Compute")))))
        .singleElement()
        .asString()
        .startsWith("spec.dependent.apiExportRef.name: \"Compute\" does not match ^");
    assertThat(problems(DependencyRuleReader.read(older(Map.of()))))
        .containsExactly("spec.dependent.apiExportName is missing");
    assertThat(problems(DependencyRuleReader.read(older("compute.example.com"))))
        .containsExactly("spec.dependent.apiExportName is missing");
  }

  @ParameterizedTest
  @CsvSource({
    "apiExportName, Compute",
    "apiExportName, 1compute",
    "apiExportName, compute.",
    "apiExportName, ''",
    "group, compute_example",
    "group, 9.example.com",
    "version, 1",
    "version, v0",
    "version, v1alpha0",
    "version, v1Alpha1",
    "version, ''",
    "kind, virtualMachine",
    "kind, Virtual-Machine",
    "kind, ''",
    "resource, VirtualMachines",
    "resource, virtual-machines",
    "resource, virtualmachines/status",
    "resource, ''"
  })
  void namesADependentFieldThatDoesNotMatchItsPattern(String field, String value) {
    RuleReading reading =
        DependencyRuleReader.read(Rules.vmNeedsVpc().with(value, "spec", "dependent", field));

    assertThat(problems(reading))
        .singleElement()
        .asString()
        .startsWith("spec.dependent." + field + ": \"" + value + "\" does not match ^");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Root",
        "root:",
        ":root",
        "root::a",
        "1root",
        "root:1a",
        "root/a",
        "root:a_b",
        "root:a-",
        ""
      })
  void namesAPathThatNoWorkspaceCanHave(String path) {
    RuleReading reading =
        DependencyRuleReader.read(Rules.withDependencyField(path, "apiExportRef", "path"));

    assertThat(problems(reading))
        .singleElement()
        .asString()
        .startsWith("spec.dependencies[0].apiExportRef.path: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec",
        ".spec",
        ".spec.disks[0].name",
        ".spec.disks[].name",
        ".spec..name",
        ".spec.name.",
        ".spec.1st",
        "..spec.name",
        ".spec[name]",
        ".spec['it''s']",
        ".spec['a\\\\b']",
        ".spec.disks[*]name",
        ""
      })
  void namesAFieldPathThatCannotBeFollowedAndLetsNothingGoUntilItIsCorrected(String path) {
    DependencyRule rule = accepted(Rules.withDependencyField(path, "fieldRef", "path"));

    assertThat(rule.problems())
        .singleElement()
        .asString()
        .startsWith("spec.dependencies[0].fieldRef.path: ");
    assertThat(rule.reader(rule.dependencies().getFirst()).read(KubeObject.of(Map.of())))
        .isInstanceOf(References.Undecidable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".spec.disks[*].volumeName",
        ".spec.vpc-ref.name",
        ".spec.names[*]",
        "spec[*][*]",
        ".metadata.annotations['example.com/vpc']",
        ".metadata.labels[\"example.com/vpc\"]",
        ".spec['a.b'][*].c"
      })
  void acceptsListsQuotedKeysAndHyphens(String path) {
    DependencyRule rule = accepted(Rules.withDependencyField(path, "fieldRef", "path"));

    assertThat(rule.problems()).isEmpty();
    assertThat(rule.dependencies().getFirst().field())
        .isEqualTo(new ReferenceField.AtPath(new FieldPath(path)));
  }

  @Test
  void seesThatAReferenceMayStandInTheStatus() {
    assertThat(
            Stream.of(
                    Map.of("path", ".status.vpc"),
                    Map.of("path", "status.vpcs[*].name"),
                    Map.of("path", ".spec.vpc", "namespacePath", ".status.namespace"),
                    Map.of("expression", "has(object.status) ? object.status.vpc : ''"))
                .map(fieldRef -> accepted(Rules.withDependencyField(fieldRef, "fieldRef"))))
        .allMatch(DependencyRule::readsStatus);
    assertThat(
            accepted(Rules.vmNeedsVpc().with("object.status.phase == 'Up'", "spec", "when"))
                .readsStatus())
        .isTrue();
  }

  @Test
  void seesThatNoReferenceStandsInTheStatus() {
    assertThat(
            Stream.of(
                    Map.of("path", ".spec.status.vpc"),
                    Map.of("path", ".spec.vpc", "namespacePath", ".spec.namespace"),
                    Map.of("expression", "object.spec.status"))
                .map(fieldRef -> accepted(Rules.withDependencyField(fieldRef, "fieldRef"))))
        .noneMatch(DependencyRule::readsStatus);
    assertThat(
            accepted(Rules.vmNeedsVpc().with("object.spec.on == true", "spec", "when"))
                .readsStatus())
        .isFalse();
  }

  @Test
  void readsEveryExtension() {
    KubeObject object =
        Rules.vmNeedsVpc()
            .with("object.spec.size > 0", "spec", "when")
            .with("Warn", "spec", "mode")
            .with("Ignore", "spec", "whileTerminating")
            .with("RequirePermission", "spec", "bypass")
            .with("indexed", "spec", "consistency")
            .with("strict", "spec", "raceProtection")
            .with(
                List.of(
                    KubeObject.of(Rules.onVpc())
                        .with(
                            Map.of(
                                "path",
                                ".spec.networks[*].name",
                                "namespacePath",
                                ".spec.networks[*].namespace",
                                "match",
                                Map.of("kind", "VPC")),
                            "fieldRef")
                        .with(true, "requireTarget")
                        .tree(),
                    KubeObject.of(Rules.onVpc())
                        .with(Map.of("expression", "object.spec.vpcs"), "fieldRef")
                        .tree()),
                "spec",
                "dependencies");

    DependencyRule rule = accepted(object);

    assertThat(rule.problems()).isEmpty();
    assertThat(rule.when()).contains(DependentCondition.compile("object.spec.size > 0"));
    assertThat(rule.enforcement())
        .isEqualTo(
            new Enforcement(
                Mode.WARN,
                WhileTerminating.IGNORE,
                Bypass.REQUIRE_PERMISSION,
                Consistency.INDEXED,
                RaceProtection.STRICT));
    assertThat(rule.dependencies())
        .extracting(Dependency::field)
        .containsExactly(
            new ReferenceField.AtPath(
                new FieldPath(".spec.networks[*].name"),
                Optional.of(new FieldPath(".spec.networks[*].namespace")),
                new TreeMap<>(Map.of("kind", "VPC"))),
            ReferenceField.Computed.compile("object.spec.vpcs"));
    assertThat(rule.dependencies())
        .extracting(Dependency::requiresTarget)
        .containsExactly(true, false);
  }

  @ParameterizedTest
  @CsvSource({
    "mode, Refuse, 'spec.mode is none of Deny, Warn, Audit; it counts as Deny'",
    "whileTerminating, block, 'spec.whileTerminating is none of Block, Ignore; it counts as Block'",
    "bypass, Anybody, 'spec.bypass is none of Annotation, RequirePermission; it counts as"
        + " RequirePermission'",
    "consistency, Eventual, 'spec.consistency is none of strict, indexed; it counts as strict'",
    "raceProtection, on, 'spec.raceProtection is none of none, strict; it counts as strict'"
  })
  void takesAnUnknownWordForTheStrictestOne(String field, String word, String problem) {
    DependencyRule rule = accepted(Rules.vmNeedsVpc().with(word, "spec", field));

    assertThat(rule.problems()).containsExactly(problem);
  }

  @Test
  void countsEveryDependentWhileTheConditionCannotBeRead() {
    DependencyRule rule = accepted(Rules.vmNeedsVpc().with("object.spec.", "spec", "when"));

    assertThat(rule.problems()).singleElement().asString().startsWith("spec.when: ");
    assertThat(rule.when()).isEmpty();
  }

  static Stream<Map<String, Object>> contradictions() {
    return Stream.of(
        Map.of(),
        Map.of("path", ".spec.a", "expression", "object.spec.a"),
        Map.of("expression", "object.spec.a", "namespacePath", ".spec.b"),
        Map.of("expression", "object.spec.a", "match", Map.of("kind", "VPC")),
        Map.of("expression", "object.spec."),
        Map.of("expression", 3),
        Map.of("path", 3),
        Map.of("path", ".spec.names[*]", "match", Map.of("kind", "VPC")),
        Map.of("path", ".spec.a.b", "namespacePath", ".spec.list[*].namespace"),
        Map.of("path", ".spec.a[*].b", "namespacePath", ".spec.c[*].b"),
        Map.of("path", ".spec.a.b", "namespacePath", "namespace"),
        Map.of("path", ".spec.a.b", "match", Map.of("kind", 3)));
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void reportsAFieldReferenceThatMeansNothingAndLetsNothingGo(Map<String, Object> field) {
    DependencyRule rule = accepted(Rules.withDependencyField(field, "fieldRef"));

    assertThat(rule.problems()).hasSize(1);
    assertThat(rule.dependencies().getFirst().field())
        .isInstanceOf(ReferenceField.Unreadable.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {".metadata.name", "metadata.name", ".metadata['name']"})
  void refusesATypeThatDependsOnItselfByItsOwnName(String path) {
    KubeObject self =
        Rules.withDependencyField(path, "fieldRef", "path")
            .with("network.example.com", "spec", "dependent", "group")
            .with("vpcs", "spec", "dependent", "resource");

    assertThat(problems(DependencyRuleReader.read(self)))
        .containsExactly(
            "spec.dependencies[0].fieldRef.path: an object cannot depend on itself by its own"
                + " name");
  }

  @Test
  void namesFieldsThatAreTooLong() {
    String long64 = "v1" + "a".repeat(61) + "1";

    assertThat(
            problems(
                DependencyRuleReader.read(
                    Rules.vmNeedsVpc().with(long64, "spec", "dependent", "version"))))
        .containsExactly("spec.dependent.version is longer than 63 characters");
  }

  @Test
  void keepsTheOtherDependenciesOfARuleWithAWrongOne() {
    KubeObject object =
        Rules.vmNeedsVpc()
            .with(
                List.of(
                    KubeObject.of(Rules.onVpc()).with("root:a-", "apiExportRef", "path").tree(),
                    Rules.onVpc()),
                "spec",
                "dependencies");

    DependencyRule rule = accepted(object);

    assertThat(rule.dependencies()).hasSize(1);
    assertThat(rule.problems())
        .singleElement()
        .asString()
        .startsWith("spec.dependencies[0].apiExportRef.path: ");
  }

  @Test
  void rejectsARuleWithoutDependencies() {
    assertThat(
            problems(
                DependencyRuleReader.read(
                    Rules.vmNeedsVpc().with(List.of(), "spec", "dependencies"))))
        .containsExactly("spec.dependencies is empty: name at least one dependency");
  }

  @Test
  void namesEveryMissingField() {
    var bare = KubeObject.of(Map.of("metadata", Map.of("name", "bare")));

    assertThat(problems(DependencyRuleReader.read(bare)))
        .containsExactly(
            "spec.dependent.apiExportName is missing",
            "spec.dependent.group is missing",
            "spec.dependent.version is missing",
            "spec.dependent.kind is missing",
            "spec.dependent.resource is missing",
            "spec.dependencies is empty: name at least one dependency");
  }

  /** A rule with this in place of the name of the export. */
  private static KubeObject older(Object reference) {
    KubeObject rule = Rules.vmNeedsVpc();
    var dependent = new TreeMap<>(rule.map("spec", "dependent"));
    dependent.remove("apiExportName");
    dependent.put("apiExportRef", reference);
    return rule.with(dependent, "spec", "dependent");
  }

  private static DependencyRule accepted(KubeObject object) {
    return switch (DependencyRuleReader.read(object)) {
      case RuleReading.Valid(var rule) -> rule;
      case RuleReading.Invalid(_, _, var problems) -> throw new AssertionError(problems);
    };
  }

  private static List<String> problems(RuleReading reading) {
    return switch (reading) {
      case RuleReading.Invalid(_, _, var problems) -> problems;
      case RuleReading.Valid(var rule) -> throw new AssertionError("accepted: " + rule);
    };
  }
}
