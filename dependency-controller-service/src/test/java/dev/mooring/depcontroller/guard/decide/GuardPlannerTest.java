package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depcontroller.guard.decide.GuardSettings.Bypass;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardPlannerTest {
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");
  private static final ProtectedResources VPCS_AND_SUBNETS =
      new ProtectedResources(
          new TreeSet<>(
              List.of(
                  new GroupResource("network.example.com", "vpcs"),
                  new GroupResource("network.example.com", "subnets"))),
          Certainty.ALL_KNOWN);

  @Test
  void writesTheWholeConfiguration() {
    GuardPlan plan =
        GuardPlanner.plan(
            PROVIDER, VPCS_AND_SUBNETS, settings(Bypass.ANNOTATION, "Q0E="), Optional.empty());

    assertThat(plan)
        .isEqualTo(
            new GuardPlan.Create(
                KubeJson.readObject(
                    """
                    {"apiVersion": "admissionregistration.k8s.io/v1",
                     "kind": "ValidatingWebhookConfiguration",
                     "metadata": {"name": "dependency-controller"},
                     "webhooks": [{
                       "name": "dependency-controller.dependencies.opendefense.cloud",
                       "clientConfig": {
                         "url": "https://hook:9443/validate/network1", "caBundle": "Q0E="},
                       "rules": [
                         {"apiGroups": ["network.example.com"], "apiVersions": ["*"],
                          "operations": ["DELETE"], "resources": ["subnets"], "scope": "*"},
                         {"apiGroups": ["network.example.com"], "apiVersions": ["*"],
                          "operations": ["DELETE"], "resources": ["vpcs"], "scope": "*"}],
                       "failurePolicy": "Fail",
                       "matchPolicy": "Equivalent",
                       "namespaceSelector": {},
                       "objectSelector": {},
                       "sideEffects": "None",
                       "timeoutSeconds": 10,
                       "admissionReviewVersions": ["v1"],
                       "matchConditions": [{
                         "name": "not-skipped",
                         "expression": "!(has(oldObject.metadata.annotations) && 'dependencies.opendefense.cloud/skip-protection' in oldObject.metadata.annotations && oldObject.metadata.annotations['dependencies.opendefense.cloud/skip-protection'] == 'true')"}]
                     }]}
                    """)));
  }

  @Test
  void leavesTheDecisionOnABypassToTheWebhookWhenTold() {
    var plan =
        (GuardPlan.Create)
            GuardPlanner.plan(
                PROVIDER, VPCS_AND_SUBNETS, settings(Bypass.WEBHOOK, ""), Optional.empty());

    assertThat(KubeJson.writeText(plan.configuration().tree()))
        .doesNotContain("matchConditions", "caBundle");
  }

  @Test
  void takesOverWhatTheGoProgramInstalled() {
    KubeObject theirs =
        KubeJson.readObject(
            """
            {"apiVersion": "admissionregistration.k8s.io/v1",
             "kind": "ValidatingWebhookConfiguration",
             "metadata": {"name": "dependency-controller", "uid": "u", "resourceVersion": "41"},
             "webhooks": [{
               "name": "dependency-controller.dependencies.opendefense.cloud",
               "clientConfig": {"url": "https://old/validate"},
               "rules": [{"apiGroups": ["network.example.com"], "apiVersions": ["v1alpha1"],
                 "operations": ["DELETE"], "resources": ["vpcs"], "scope": "*"}],
               "failurePolicy": "Fail", "matchPolicy": "Equivalent", "namespaceSelector": {},
               "objectSelector": {}, "sideEffects": "None", "timeoutSeconds": 10,
               "admissionReviewVersions": ["v1"]}]}
            """);

    GuardPlan plan =
        GuardPlanner.plan(
            PROVIDER, VPCS_AND_SUBNETS, settings(Bypass.ANNOTATION, ""), Optional.of(theirs));

    assertThat(plan)
        .isInstanceOfSatisfying(
            GuardPlan.Replace.class,
            replace -> {
              assertThat(replace.configuration().resourceVersion()).isEqualTo("41");
              assertThat(replace.configuration().list("webhooks")).hasSize(1);
              assertThat(GuardShape.protectedBy(replace.configuration()))
                  .isEqualTo(VPCS_AND_SUBNETS.resources());
            });
  }

  @Test
  void removesWhatProtectsNothingAnyMore() {
    KubeObject left =
        KubeObject.of(Map.of("metadata", Map.of("name", "x", "uid", "u", "resourceVersion", "9")));

    assertThat(
            GuardPlanner.plan(
                PROVIDER,
                new ProtectedResources(new TreeSet<>(), Certainty.ALL_KNOWN),
                settings(Bypass.ANNOTATION, ""),
                Optional.of(left)))
        .isEqualTo(new GuardPlan.Remove("u", "9"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT31S", "PT1.5S"})
  void refusesATimeoutThatNoApiServerTakes(Duration timeout) {
    assertThatThrownBy(() ->
            new GuardSettings("https://hook", "", FailurePolicy.FAIL, timeout, Bypass.ANNOTATION))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static GuardSettings settings(Bypass bypass, String ca) {
    return new GuardSettings(
        "https://hook:9443/validate", ca, FailurePolicy.FAIL, Duration.ofSeconds(10), bypass);
  }
}
