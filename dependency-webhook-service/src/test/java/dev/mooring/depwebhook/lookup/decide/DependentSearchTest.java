package dev.mooring.depwebhook.lookup.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.ReferenceField;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependentSearchTest {
  private static final ReferenceField ACROSS =
      new ReferenceField.AtPath(
          new FieldPath(".spec.peer.name"),
          Optional.of(new FieldPath(".spec.peer.namespace")),
          new TreeMap<>());

  @Test
  void asksOnceForAllFieldsOfOneType() {
    DependencyRule peering = rule("peering", MACHINES, "root:network", VPCS, ".spec.peerRef.name");

    assertThat(searches(peering, vmNeedsVpc()))
        .singleElement()
        .satisfies(search -> {
          assertThat(search.dependent()).isEqualTo(MACHINES);
          assertThat(search.kind()).isEqualTo("VirtualMachine");
          assertThat(search.protections())
              .extracting(MatchedRule::rule)
              .containsExactly(peering, vmNeedsVpc());
          assertThat(search.readers()).hasSize(2);
        });
  }

  @Test
  void asksForEveryDependentType() {
    var gateways = new ResourceType("compute.example.com", "v1alpha1", "gateways");
    DependencyRule gateway = rule("gw", gateways, "root:network", VPCS, ".spec.vpcRef.name");

    assertThat(searches(gateway, vmNeedsVpc()))
        .extracting(DependentSearch::dependent)
        .containsExactly(gateways, MACHINES);
  }

  @Test
  void findsTheRuleByWhichAnObjectKeepsTheTarget() {
    DependentSearch search = searches(vmNeedsVpc()).getFirst();

    assertThat(search.matchingProtections(machine("default", "vm1", "net1"), VPC)).hasSize(1);
    assertThat(search.matchingProtections(machine("default", "vm2", "net2"), VPC)).isEmpty();
    assertThat(search.matchingProtections(machine("default", "vm3", ""), VPC)).isEmpty();
    assertThat(search.matchingProtections(machine("other", "vm4", "net1"), VPC)).isEmpty();
  }

  @Test
  void noObjectBlocksItsOwnDeletion() {
    DependencyRule rogue = rule("rogue", VPCS, "root:network", VPCS, ".metadata.name");
    DependentSearch search = searches(rogue).getFirst();
    KubeObject innocent =
        KubeObject.of(Map.of("metadata", Map.of("name", "net1", "namespace", "default")));

    assertThat(search.matchingProtections(innocent, VPC)).isEmpty();
    assertThat(search.matchingProtections(innocent.without("metadata", "namespace"), VPC))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"vpcs, other, net1", "vpcs, default, net2", "virtualmachines, default, net1"})
  void whatSharesAllButOneOfTypeNamespaceAndNameWithTheTargetKeepsIt(
      String resource, String namespace, String name) {
    ResourceType dependent = resource.equals("vpcs") ? VPCS : MACHINES;
    DependentSearch search = searches(rule("r", dependent, ACROSS)).getFirst();
    KubeObject peer =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", name, "namespace", namespace),
                "spec",
                Map.of("peer", Map.of("name", "net1", "namespace", "default"))));

    assertThat(search.matchingProtections(peer, VPC)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".spec.vpcRef.name          | spec.vpcRef.name=net1",
        "spec.vpcRef.name           | spec.vpcRef.name=net1",
        ".metadata.name             | metadata.name=net1",
        ".spec.vpcs[*].name         | ",
        ".metadata.labels['a.b/c']  | "
      })
  void aServerCanSelectByPlainFieldsOnly(String path, String selector) {
    DependentSearch search = searches(rule("r", MACHINES, "root:network", VPCS, path)).getFirst();

    assertThat(search.selectors(VPC)).isEqualTo(Optional.ofNullable(selector).map(List::of));
  }

  @Test
  void oneFieldThatCannotBeSelectedByNeedsTheWholeList() {
    DependencyRule listed = rule("l", MACHINES, "root:network", VPCS, ".spec.vpcs[*].name");

    assertThat(searches(vmNeedsVpc(), listed).getFirst().selectors(VPC)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {".spec.vpcRef.name", ".spec.vpcs[*].name", ".metadata.labels['a.b/c']"})
  void nothingThatARuleReadsIsMaskedAway(String path) {
    DependentSearch search = searches(rule("r", MACHINES, "root:network", VPCS, path)).getFirst();
    KubeObject whole =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "vm", "namespace", "default", "labels", Map.of("a.b/c", "net1")),
                "spec",
                Map.of(
                    "vpcRef", Map.of("name", "net1", "more", "x"),
                    "vpcs", List.of(Map.of("name", "net1", "size", 1L)),
                    "bulk", "x".repeat(100))));

    KubeObject masked = search.mask().apply(whole);

    assertThat(search.matchingProtections(whole, VPC)).hasSize(1);
    assertThat(search.matchingProtections(masked, VPC)).hasSize(1);
    assertThat(masked.at("spec", "bulk")).isNull();
  }

  @Test
  void neitherNamespacesNorWhatHasToMatchAreMaskedAway() {
    KubeObject elsewhere =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "vm", "namespace", "other"),
                "spec",
                Map.of(
                    "peer", Map.of("name", "net1", "namespace", "default"),
                    "typed", Map.of("name", "net1", "kind", "VPC"))));

    assertThat(keptMasked(ACROSS, elsewhere)).hasSize(1);
    assertThat(
            keptMasked(
                new ReferenceField.AtPath(
                    new FieldPath(".spec.typed.name"),
                    Optional.empty(),
                    new TreeMap<>(Map.of("kind", "VPC"))),
                elsewhere.with("default", "metadata", "namespace")))
        .hasSize(1);
  }

  @Test
  void tooManySelectorsAreNoBetterThanTheWholeList() {
    DependencyRule[] rules =
        IntStream.rangeClosed(1, SearchFields.SELECTORS_MAX + 1)
            .mapToObj(i -> rule("r" + i, MACHINES, "root:network", VPCS, ".spec.ref" + i + ".name"))
            .toArray(DependencyRule[]::new);

    assertThat(searches(rules).getFirst().selectors(VPC)).isEmpty();
    assertThat(
            searches(Arrays.copyOf(rules, SearchFields.SELECTORS_MAX))
                .getFirst()
                .selectors(VPC)
                .orElseThrow())
        .hasSize(SearchFields.SELECTORS_MAX);
  }

  @Test
  void anExpressionMayReadEverything() {
    DependencyRule computed = Fixtures.computed("c", "object.spec.vpcRef.name");

    assertThat(searches(computed).getFirst().mask()).isEqualTo(FieldMask.ALL);
    assertThat(searches(computed).getFirst().selectors(VPC)).isEmpty();
    assertThat(searches(computed).getFirst().namespaceFor(VPC)).isEmpty();
  }

  @Test
  void looksInTheTargetsNamespaceUnlessReferencesMayNameAnother() {
    DependentSearch search = searches(vmNeedsVpc()).getFirst();

    assertThat(search.namespaceFor(VPC)).isEqualTo("default");
    assertThat(search.namespaceFor(vpc("", "net1"))).isEmpty();
  }

  private static List<MatchedRule> keptMasked(ReferenceField field, KubeObject dependent) {
    DependentSearch search = searches(rule("r", MACHINES, field)).getFirst();
    return search.matchingProtections(search.mask().apply(dependent), VPC);
  }

  private static List<DependentSearch> searches(DependencyRule... rules) {
    return DependentSearch.forAll(RuleIndex.of(List.of(rules)).about(GroupResource.of(VPCS)));
  }
}
