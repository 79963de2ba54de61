package dev.mooring.depwebhook.race.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.race.decide.NewReferences.Added;
import dev.mooring.depwebhook.race.decide.ReferenceStep.Demand;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.ReferenceField;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NewReferencesTest {
  private static final MatchedRule ON_VPCS = on(Fixtures.MACHINES, Fixtures.VPCS);

  @Test
  void announcesEveryReferenceOfWhatIsCreatedInOrder() {
    assertThat(names(NewReferences.of(List.of(ON_VPCS), Fixtures.MACHINES, none(), to("b", "a"))))
        .containsExactly("a", "b");
  }

  @Test
  void announcesOfAChangeOnlyWhatIsNew() {
    assertThat(added(to("a", "b"), to("b", "c"))).containsExactly("c");
    assertThat(added(to("a"), to("a"))).isEmpty();
    assertThat(added(to("a", "b"), to("b"))).isEmpty();
  }

  @Test
  void demandsATargetIfOneOfTheRulesDoes() {
    assertThat(demands(ON_VPCS, demanding(ON_VPCS))).containsExactly(Demand.PRESENT);
    assertThat(demands(demanding(ON_VPCS), ON_VPCS)).containsExactly(Demand.PRESENT);
    assertThat(demands(ON_VPCS)).containsExactly(Demand.ANY);
  }

  @Test
  void takesAnObjectsOwnNameForNoReference() {
    MatchedRule onItself = on(Fixtures.VPCS, Fixtures.VPCS);

    assertThat(
            names(NewReferences.of(List.of(onItself), Fixtures.VPCS, none(), to("vm1", "another"))))
        .containsExactly("another");
  }

  @Test
  void takesNothingElseForTheObjectItself() {
    MatchedRule far =
        protection(
            Fixtures.rule(
                "peers",
                Fixtures.VPCS,
                new ReferenceField.AtPath(
                    new FieldPath(".spec.peer.name"),
                    Optional.of(new FieldPath(".spec.peer.namespace")),
                    new TreeMap<>())));
    KubeObject peering =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "vm1", "namespace", "default"),
                "spec",
                Map.of("peer", Map.of("name", "vm1", "namespace", "other"))));

    assertThat(names(NewReferences.of(List.of(ON_VPCS), Fixtures.MACHINES, none(), to("vm1"))))
        .containsExactly("vm1");
    assertThat(names(NewReferences.of(List.of(far), Fixtures.VPCS, none(), peering)))
        .containsExactly("vm1");
    assertThat(
            NewReferences.of(
                List.of(far),
                Fixtures.VPCS,
                none(),
                peering.with("default", "spec", "peer", "namespace")))
        .isEmpty();
  }

  private static List<Demand> demands(MatchedRule... protections) {
    return NewReferences.of(List.of(protections), Fixtures.MACHINES, none(), to("a")).stream()
        .map(Added::demand)
        .toList();
  }

  private static List<String> added(KubeObject before, KubeObject after) {
    return names(NewReferences.of(List.of(ON_VPCS), Fixtures.MACHINES, Optional.of(before), after));
  }

  private static List<String> names(List<Added> added) {
    return added.stream().map(one -> one.reference().name()).toList();
  }

  private static Optional<KubeObject> none() {
    return Optional.empty();
  }

  private static KubeObject to(String... vpcs) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "vm1", "namespace", "default"),
            "spec",
            Map.of("vpcs", Stream.of(vpcs).map(vpc -> Map.of("name", vpc)).toList())));
  }

  private static MatchedRule on(ResourceType dependent, ResourceType target) {
    return protection(Fixtures.rule("vm", dependent, "root:network", target, ".spec.vpcs[*].name"));
  }

  private static MatchedRule protection(DependencyRule rule) {
    return new MatchedRule(rule, rule.dependencies().getFirst());
  }

  private static MatchedRule demanding(MatchedRule protection) {
    Dependency dependency = protection.dependency();
    return new MatchedRule(
        protection.rule(),
        new Dependency(dependency.export(), dependency.target(), dependency.field(), true));
  }
}
