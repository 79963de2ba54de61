package dev.mooring.depcontroller.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schema of the shipped manifest, as an API server enforces it on whoever writes a rule. */
abstract class RuleSchemaContract {
  private static final Map<String, Object> DEPENDENT =
      Map.of(
          "apiExportName", "compute.example.com",
          "group", "compute.example.com",
          "version", "v1alpha1",
          "kind", "VirtualMachine",
          "resource", "virtualmachines");
  private static final Map<String, Object> DEPENDENCY =
      Map.of(
          "apiExportRef", Map.of("path", "root:network", "name", "network.example.com"),
          "group", "network.example.com",
          "version", "v1alpha1",
          "resource", "vpcs",
          "fieldRef", Map.of("path", ".spec.vpcRef.name"));

  private static TestWorkspaces workspaces;
  private static WorkspacePath provider;
  private static int written;

  /** To be called before all tests. */
  static void enter(TestWorkspaces given) {
    workspaces = given;
    provider = ControllerEnvironment.prepare(workspaces).compute();
  }

  @AfterAll
  static void leave() {
    if (workspaces != null) {
      workspaces.close();
      workspaces = null;
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      textBlock =
          """
          dependent.apiExportName,                 a
          dependent.apiExportName,                 compute-2.example.com
          dependent.group,                         ~~
          dependent.version,                       v1
          dependent.version,                       v2beta10
          dependent.kind,                          VM2
          dependent.resource,                      vm2s
          dependencies.apiExportRef.path,          root
          dependencies.apiExportRef.path,          root:org-1:team
          dependencies.apiExportRef.name,          network
          dependencies.group,                      a.b
          dependencies.fieldRef.path,              spec.vpc
          dependencies.fieldRef.path,              .spec.vpc-ref.name
          dependencies.fieldRef.path,              .spec.disks[*].volumeName
          dependencies.fieldRef.path,              .metadata.annotations['a.b/c']
          """)
  void takes(String field, String value) {
    write(rule(field, value));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      textBlock =
          """
          dependent.apiExportName,                 ~~
          dependent.apiExportName,                 Compute
          dependent.apiExportName,                 compute.
          dependent.group,                         1compute
          dependent.group,                         compute..example
          dependent.version,                       ~~
          dependent.version,                       v0
          dependent.version,                       1
          dependent.version,                       v1beta
          dependent.kind,                          virtualMachine
          dependent.kind,                          Virtual-Machine
          dependent.resource,                      virtualMachines
          dependent.resource,                      virtualmachines/status
          dependencies.apiExportRef.path,          ~~
          dependencies.apiExportRef.path,          root:
          dependencies.apiExportRef.path,          Root
          dependencies.apiExportRef.name,          a_b
          dependencies.group,                      ~~
          dependencies.version,                    vv1
          dependencies.resource,                   a-b
          dependencies.fieldRef.path,              .name
          dependencies.fieldRef.path,              .spec..name
          dependencies.fieldRef.path,              .spec.disks[0].name
          dependencies.fieldRef.path,              .spec.*.name
          dependencies.fieldRef.path,              .spec.1st
          dependencies.fieldRef.path,              .spec.name.
          dependencies.fieldRef.path,              .metadata.annotations['']
          """)
  void refusesAndNamesTheField(String field, String value) {
    assertRefused(rule(field, value), field.substring(field.lastIndexOf('.') + 1));
  }

  @ParameterizedTest
  @CsvSource({
    "dependent.apiExportName, 253",
    "dependent.group, 253",
    "dependent.kind, 63",
    "dependent.resource, 63",
    "dependencies.apiExportRef.path, 253",
    "dependencies.apiExportRef.name, 253",
    "dependencies.group, 253",
    "dependencies.resource, 63",
    "dependencies.fieldRef.path, 253"
  })
  void bounds(String field, int lengthMax) {
    String start = field.endsWith("kind") ? "K" : field.endsWith("fieldRef.path") ? ".s.a" : "a";
    String longest = start + "a".repeat(lengthMax - start.length());

    write(rule(field, longest));
    assertRefused(rule(field, longest + "a"), field.substring(field.lastIndexOf('.') + 1));
  }

  /** As older versions of the Go program have it. */
  @Test
  void takesAReferenceToTheDependentsExportInPlaceOfItsName() {
    write(ofExport(Map.of("path", "root:compute", "name", "compute.example.com")));
    write(ofExport(Map.of("name", "compute.example.com")));
  }

  @Test
  void refusesADependentOfNoExportOrOfTwo() {
    assertRefused(
        rule(List.of(DEPENDENCY)).with(without(DEPENDENT, "apiExportName"), "spec", "dependent"),
        "apiExportName is missing");
    assertRefused(ofExport(Map.of("path", "root:compute")), "apiExportRef.name");
    assertRefused(
        rule(List.of(DEPENDENCY))
            .with(Map.of("name", "other.example.com"), "spec", "dependent", "apiExportRef"),
        "apiExportName and apiExportRef.name name different exports");
  }

  @Test
  void refusesARuleWithoutADependency() {
    assertRefused(rule(List.of()), "dependencies");
  }

  @Test
  void refusesOneThatReadsNoFieldOrTwo() {
    assertRefused(rule(List.of(with(DEPENDENCY, "fieldRef", Map.of()))), "fieldRef");
    assertRefused(
        rule(
            List.of(
                with(DEPENDENCY, "fieldRef", Map.of("path", ".spec.a", "expression", "object.b")))),
        "name either a path or an expression");
  }

  @Test
  void refusesATypeThatDependsOnItselfByItsOwnName() {
    Map<String, Object> itself =
        with(
            with(with(DEPENDENCY, "group", "compute.example.com"), "resource", "virtualmachines"),
            "fieldRef",
            Map.of("path", ".metadata.name"));

    assertRefused(rule(List.of(itself)), "an object cannot depend on itself by its own name");
  }

  /** A valid rule but for one field. */
  private static KubeObject rule(String field, String value) {
    String[] steps = field.split("\\.");
    KubeObject dependency = KubeObject.of(DEPENDENCY);
    KubeObject rule = rule(List.of(DEPENDENCY));
    String[] below = List.of(steps).subList(1, steps.length).toArray(String[]::new);
    return steps[0].equals("dependent")
        ? rule.with(value, "spec", "dependent", below[0])
        : rule.with(List.of(dependency.with(value, below).tree()), "spec", "dependencies");
  }

  private static KubeObject ofExport(Map<String, Object> reference) {
    Map<String, Object> dependent =
        with(without(DEPENDENT, "apiExportName"), "apiExportRef", reference);
    return rule(List.of(DEPENDENCY)).with(dependent, "spec", "dependent");
  }

  private static Map<String, Object> without(Map<String, Object> tree, String key) {
    var rest = new TreeMap<>(tree);
    rest.remove(key);
    return rest;
  }

  private static KubeObject rule(List<Map<String, Object>> dependencies) {
    return KubeObject.of(
        Map.of(
            "apiVersion", DependencyRule.TYPE.apiVersion(),
            "kind", DependencyRule.KIND,
            "metadata", Map.of("name", "rule-" + ++written),
            "spec", Map.of("dependent", DEPENDENT, "dependencies", dependencies)));
  }

  private static Map<String, Object> with(Map<String, Object> tree, String key, Object value) {
    return KubeObject.of(tree).with(value, key).tree();
  }

  private static void write(KubeObject rule) {
    assertThat(workspaces.client(provider).create(DependencyRule.TYPE, rule).map("spec"))
        .as("nothing of it is pruned")
        .isEqualTo(rule.map("spec"));
  }

  private static void assertRefused(KubeObject rule, String... said) {
    assertThatThrownBy(() -> workspaces.client(provider).create(DependencyRule.TYPE, rule))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.INVALID))
        .message()
        .contains(said);
  }
}
