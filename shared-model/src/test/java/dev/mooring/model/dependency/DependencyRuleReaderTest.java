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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependencyRuleReaderTest {
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
        "spec", ".spec", ".spec.disks[0].name", ".spec.disks[*].name", ".spec.vpc-ref.name",
        ".spec..name", ".spec.name.", ".spec.1st", "..spec.name", ""
      })
  void namesAFieldPathThatCannotBeFollowed(String path) {
    RuleReading reading =
        DependencyRuleReader.read(Rules.withDependencyField(path, "fieldRef", "path"));

    assertThat(problems(reading))
        .singleElement()
        .asString()
        .startsWith("spec.dependencies[0].fieldRef.path: ");
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

  private static List<String> problems(RuleReading reading) {
    return switch (reading) {
      case RuleReading.Invalid(_, _, var problems) -> problems;
      case RuleReading.Valid(var rule) -> throw new AssertionError("accepted: " + rule);
    };
  }
}
