package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceReaderTest {
  private static final KubeObject MACHINE =
      KubeObject.of(
          Map.of(
              "metadata",
              Map.of("name", "vm1", "namespace", "team"),
              "spec",
              Map.of(
                  "size",
                  3,
                  "networks",
                  List.of(
                      Map.of("kind", "VPC", "name", "net1", "namespace", "infra"),
                      Map.of("kind", "VPC", "name", "net2"),
                      Map.of("kind", "Subnet", "name", "sub1", "namespace", "infra"),
                      Map.of("name", "untyped")))));
  private static final KubeObject NODE = MACHINE.without("metadata", "namespace");

  @Test
  void pairsNamesWithNamespacesItemByItem() {
    var field =
        new ReferenceField.AtPath(
            path(".spec.networks[*].name"),
            Optional.of(path(".spec.networks[*].namespace")),
            new TreeMap<>());

    assertThat(read(field, MACHINE))
        .containsExactly(
            new Reference("infra", "net1"),
            new Reference("infra", "sub1"),
            new Reference("team", "net2"),
            new Reference("team", "untyped"));
    assertThat(read(field, NODE)).contains(new Reference("", "net2"));
  }

  @Test
  void countsOnlyReferencesOfTheWantedKind() {
    assertThat(read(typed(Map.of("kind", "VPC")), MACHINE))
        .extracting(Reference::name)
        .containsExactly("net1", "net2");
    assertThat(read(typed(Map.of("kind", "")), MACHINE))
        .extracting(Reference::name)
        .containsExactly("untyped");
    assertThat(read(typed(Map.of("kind", "VPC", "namespace", "infra")), MACHINE))
        .extracting(Reference::name)
        .containsExactly("net1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "object.spec.networks[0].name | team/net1",
        "object.spec.networks.map(n, n.name) | team/net1,team/net2,team/sub1,team/untyped",
        "object.spec.networks.filter(n, has(n.kind) && n.kind == 'VPC').map(n, n.name) |"
            + " team/net1,team/net2",
        "[{'name': 'x', 'namespace': 'other'}, {'name': 'y'}] | other/x,team/y",
        "{'name': 'x', 'namespace': 'other'} | other/x",
        "'vpc-' + object.metadata.name | team/vpc-vm1"
      })
  void takesWhatAnExpressionYields(String expression, String references) {
    assertThat(read(computed(expression), MACHINE))
        .extracting(r -> r.namespace() + "/" + r.name())
        .containsExactly(references.split(","));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"''", "[]", "dyn(null)", "{'name': ''}", "[null, '']", "{'namespace': 'a'}"})
  void takesNothingForNothing(String expression) {
    assertThat(read(computed(expression), MACHINE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"object.spec.missing", "dyn(3)", "[['a']]", "{'name': 3}", "dyn(true)"})
  void cannotTellWhatAnExpressionDoesNotYield(String expression) {
    References references = reader(computed(expression)).read(MACHINE);

    assertThat(references).isInstanceOf(References.Undecidable.class);
    assertThat(references.mayMean(target("team", "anything"))).isTrue();
  }

  @Test
  void leavesOutDependentsThatDoNotCount() {
    assertThat(when("object.spec.size > 5").read(MACHINE)).isEqualTo(References.Known.NONE);
    assertThat(when("object.spec.size < 5").read(MACHINE)).isNotEqualTo(References.Known.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"object.spec.missing > 1", "dyn('yes')", "dyn(null)"})
  void countsADependentWhereTheConditionCannotTell(String condition) {
    assertThat(when(condition).read(MACHINE)).isNotEqualTo(References.Known.NONE);
  }

  @Test
  void leavesOutATerminatingDependentOnlyIfConfigured() {
    KubeObject going = MACHINE.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
    ReferenceField field = typed(Map.of());

    assertThat(read(field, going)).isNotEmpty();
    assertThat(new ReferenceReader(field, Optional.empty(), WhileTerminating.IGNORE).read(going))
        .isEqualTo(References.Known.NONE);
    assertThat(new ReferenceReader(field, Optional.empty(), WhileTerminating.IGNORE).read(MACHINE))
        .isNotEqualTo(References.Known.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "team, net, team, net, true",
    "team, net, other, net, false",
    "team, net, team, net2, false",
    "'', net, team, net, true",
    "team, net, '', net, true",
    "'', net, '', net, true",
    "'', net, '', net2, false"
  })
  void meansATargetOfItsNameWhereItLooks(
      String namespace, String name, String targetNamespace, String targetName, boolean means) {
    assertThat(new Reference(namespace, name).means(target(targetNamespace, targetName)))
        .isEqualTo(means);
  }

  private static ReferenceReader when(String condition) {
    return new ReferenceReader(
        typed(Map.of()),
        Optional.of(DependentCondition.compile(condition)),
        WhileTerminating.BLOCK);
  }

  private static ReferenceField typed(Map<String, String> match) {
    return new ReferenceField.AtPath(
        path(".spec.networks[*].name"), Optional.empty(), new TreeMap<>(match));
  }

  private static ReferenceField computed(String expression) {
    return ReferenceField.Computed.compile(expression);
  }

  private static ReferenceReader reader(ReferenceField field) {
    return new ReferenceReader(field, Optional.empty(), WhileTerminating.BLOCK);
  }

  private static List<Reference> read(ReferenceField field, KubeObject object) {
    return switch (reader(field).read(object)) {
      case References.Known(var all) -> List.copyOf(new TreeSet<>(all));
      case References.Undecidable(var problem) -> throw new AssertionError(problem);
    };
  }

  private static FieldPath path(String text) {
    return new FieldPath(text);
  }

  private static Target target(String namespace, String name) {
    return new Target(
        new GroupResource("network.example.com", "vpcs"),
        new ObjectKey(new LogicalCluster("c1"), namespace, name));
  }
}
