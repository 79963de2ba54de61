package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleCacheTest {
  private static final KubeObject RULE =
      KubeJson.readObject(
          """
          {"apiVersion": "dependencies.opendefense.cloud/v1alpha1", "kind": "DependencyRule",
           "metadata": {"name": "machines-need", "generation": 1, "resourceVersion": "7",
             "annotations": {"kcp.io/cluster": "compute1"}},
           "spec": {
             "dependent": {"apiExportName": "compute.example.com", "group": "compute.example.com",
               "version": "v1", "kind": "VirtualMachine", "resource": "virtualmachines"},
             "dependencies": [{
               "apiExportRef": {"path": "root:network", "name": "network.example.com"},
               "group": "network.example.com", "version": "v1", "resource": "vpcs",
               "fieldRef": {"expression": "object.spec.vpcs"}}]}}
          """
              .getBytes(StandardCharsets.UTF_8));

  private static final KubeObject WITH_STATUS =
      RULE.with("8", "metadata", "resourceVersion")
          .with(Map.of("observedGeneration", 1L), "status");

  private List<KubeObject> all = List.of();
  private final RuleCache rules = RuleCache.asWritten(() -> all);

  @Test
  void readARuleOnceAsLongAsItSaysTheSame() {
    assertThat(rules.reading(WITH_STATUS)).isSameAs(rules.reading(RULE));
    assertThat(RuleCache.hasSameSpec(RULE, WITH_STATUS)).isTrue();
  }

  @Test
  void readARuleAgainThatSaysSomethingElse() {
    rules.reading(RULE);
    KubeObject edited =
        RULE.with(2L, "metadata", "generation")
            .with("virtualdisks", "spec", "dependent", "resource");

    assertThat(RuleCache.hasSameSpec(RULE, edited)).isFalse();
    all = List.of(edited);
    assertThat(rules.valid())
        .extracting(rule -> rule.dependent().type().resource())
        .containsExactly("virtualdisks");
  }

  @Test
  void readARuleAgainWhereAServerDoesNotCountItsGenerations() {
    KubeObject edited = RULE.with("Warn", "spec", "mode");

    assertThat(RuleCache.hasSameSpec(RULE, edited)).isFalse();
    assertThat(rules.reading(edited)).isNotSameAs(rules.reading(RULE));
  }

  @Test
  void forgetRulesThatAreGone() {
    Object before = rules.reading(RULE);

    rules.valid();

    assertThat(rules.reading(RULE)).isNotSameAs(before);
  }
}
