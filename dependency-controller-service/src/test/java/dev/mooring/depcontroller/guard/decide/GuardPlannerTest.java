package dev.mooring.depcontroller.guard.decide;

import static dev.mooring.depcontroller.Fixtures.deletions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardPlannerTest {
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");
  private static final String SKIPPED =
      "has(oldObject.metadata.annotations)"
          + " && 'dependencies.opendefense.cloud/skip-protection' in oldObject.metadata.annotations"
          + " && oldObject.metadata.annotations['dependencies.opendefense.cloud/skip-protection']"
          + " == 'true'";
  private static final ProtectedResources VPCS_AND_SUBNETS =
      new ProtectedResources(deletions("vpcs", "subnets"), new Certainty.AllKnown());

  @Test
  void writesTheWholeConfiguration() {
    GuardPlan plan =
        GuardPlanner.plan(PROVIDER, VPCS_AND_SUBNETS, settings("Q0E="), Optional.empty());

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
                         "expression": "!(%1$s)"}]
                     }, {
                       "name": "bypass-audit.dependencies.opendefense.cloud",
                       "clientConfig": {
                         "url": "https://hook:9443/validate/network1/notify", "caBundle": "Q0E="},
                       "rules": [
                         {"apiGroups": ["network.example.com"], "apiVersions": ["*"],
                          "operations": ["DELETE"], "resources": ["subnets"], "scope": "*"},
                         {"apiGroups": ["network.example.com"], "apiVersions": ["*"],
                          "operations": ["DELETE"], "resources": ["vpcs"], "scope": "*"}],
                       "failurePolicy": "Ignore",
                       "matchPolicy": "Equivalent",
                       "namespaceSelector": {},
                       "objectSelector": {},
                       "sideEffects": "NoneOnDryRun",
                       "timeoutSeconds": 2,
                       "admissionReviewVersions": ["v1"],
                       "matchConditions": [{"name": "skipped", "expression": "%1$s"}]
                     }]}
                    """
                        .formatted(SKIPPED))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://hook:9443/validate", "https://hook:9443/validate/"})
  void addsTheProviderToTheUrlAndNoAuthorityWhereAServerHasToKnowItAnyway(String url) {
    var settings = new GuardSettings(url, "", FailurePolicy.FAIL, Duration.ofSeconds(10));

    assertThat(
            WebhookConfigurationBuilder.webhooks(settings, PROVIDER, VPCS_AND_SUBNETS.coverage()))
        .extracting(entry -> Trees.at(entry, "clientConfig"))
        .containsExactly(
            Map.of("url", "https://hook:9443/validate/network1"),
            Map.of("url", "https://hook:9443/validate/network1/notify"));
  }

  @Test
  void leavesTheDecisionOnABypassToTheWebhookWhereARuleWantsPermission() {
    var permitted =
        new Coverage(
            new TreeMap<>(
                Map.of(
                    new GroupResource("network.example.com", "vpcs"),
                    new DeletionGuard(Bypass.REQUIRE_PERMISSION, RaceProtection.NONE))),
            new TreeMap<>());

    assertThat(entries(permitted.and(deletions("subnets"))))
        .containsExactly(
            "dependency-controller.dependencies.opendefense.cloud subnets DELETE Fail None"
                + " not-skipped",
            "bypass-audit.dependencies.opendefense.cloud subnets DELETE Ignore NoneOnDryRun"
                + " skipped",
            "require-permission.dependencies.opendefense.cloud vpcs DELETE Fail None ");
    assertThat(entries(permitted))
        .containsExactly(
            "dependency-controller.dependencies.opendefense.cloud vpcs DELETE Fail None ");
  }

  @Test
  void ignoresAWebhookThatIsAwayWhereRulesOnlyWarnOrAudit() {
    var advised =
        new Coverage(
            new TreeMap<>(
                Map.of(new GroupResource("network.example.com", "vpcs"), DeletionGuard.WARNING)),
            new TreeMap<>());

    assertThat(entries(advised.and(deletions("subnets"))))
        .containsExactly(
            "dependency-controller.dependencies.opendefense.cloud subnets DELETE Fail None"
                + " not-skipped",
            "bypass-audit.dependencies.opendefense.cloud subnets DELETE Ignore NoneOnDryRun"
                + " skipped",
            "advisory.dependencies.opendefense.cloud vpcs DELETE Ignore NoneOnDryRun ");
    assertThat(entries(advised.and(deletions("vpcs")))).isEqualTo(entries(deletions("vpcs")));
  }

  @Test
  void reviewsReferencesInTheVersionThatTheRuleIsWrittenFor() {
    Coverage references = references("vms", ReferenceGuard.OBJECT);

    assertThat(entries(references))
        .containsExactly(
            "references.dependencies.opendefense.cloud vms CREATE,UPDATE Fail NoneOnDryRun ");
    assertThat(WebhookConfigurationBuilder.webhooks(settings(""), PROVIDER, references))
        .extracting(entry -> Trees.at(entry, "timeoutSeconds"))
        .containsExactly(10L);
    assertThat(
            KubeJson.writeText(
                Map.of(
                    "w", WebhookConfigurationBuilder.webhooks(settings(""), PROVIDER, references))))
        .contains("\"apiVersions\":[\"v1beta1\"]")
        .doesNotContain("\"apiVersions\":[\"*\"]");
  }

  /** Where the webhook refuses nothing for want of knowledge. */
  @Test
  void asksByUrlsOfTheirOwnAboutWhatNeedsNoAnswer() {
    Coverage both =
        deletions("vpcs")
            .and(references("vms", ReferenceGuard.OBJECT))
            .and(
                new Coverage(
                    new TreeMap<>(
                        Map.of(
                            new GroupResource("network.example.com", "subnets"),
                            DeletionGuard.WARNING)),
                    new TreeMap<>()));

    assertThat(WebhookConfigurationBuilder.webhooks(settings(""), PROVIDER, both))
        .extracting(
            entry -> Trees.textOrEmpty(Trees.at(entry, "name")).split("\\.")[0],
            entry -> Trees.at(entry, "clientConfig", "url"))
        .containsExactly(
            tuple("dependency-controller", "https://hook:9443/validate/network1"),
            tuple("bypass-audit", "https://hook:9443/validate/network1/notify"),
            tuple("advisory", "https://hook:9443/validate/network1/warn"),
            tuple("references", "https://hook:9443/validate/network1"));
  }

  @Test
  void reviewsTheStatusWhereARuleReadsIt() {
    assertThat(entries(references("vms", ReferenceGuard.OBJECT_AND_STATUS)).getFirst())
        .isEqualTo(
            "references.dependencies.opendefense.cloud vms,vms/status CREATE,UPDATE Fail"
                + " NoneOnDryRun ");
  }

  @Test
  void saysThatReviewsWriteUnderRaceProtection() {
    var raced =
        new Coverage(
            new TreeMap<>(
                Map.of(
                    new GroupResource("network.example.com", "vpcs"),
                    new DeletionGuard(Bypass.ANNOTATION, RaceProtection.STRICT))),
            new TreeMap<>());

    assertThat(entries(raced).getFirst())
        .isEqualTo(
            "dependency-controller.dependencies.opendefense.cloud vpcs DELETE Fail NoneOnDryRun"
                + " not-skipped");
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
        GuardPlanner.plan(PROVIDER, VPCS_AND_SUBNETS, settings(""), Optional.of(theirs));

    assertThat(plan)
        .isInstanceOfSatisfying(
            GuardPlan.Replace.class,
            replace -> {
              assertThat(replace.configuration().resourceVersion()).isEqualTo("41");
              assertThat(WebhookConfigurationBuilder.coveredBy(replace.configuration()))
                  .isEqualTo(VPCS_AND_SUBNETS.coverage());
            });
  }

  @Test
  void removesWhatProtectsNothingAnyMore() {
    KubeObject left =
        KubeObject.of(Map.of("metadata", Map.of("name", "x", "uid", "u", "resourceVersion", "9")));

    assertThat(
            GuardPlanner.plan(
                PROVIDER,
                new ProtectedResources(Coverage.NONE, new Certainty.AllKnown()),
                settings(""),
                Optional.of(left)))
        .isEqualTo(new GuardPlan.Remove("u", "9"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT31S", "PT1.5S"})
  void refusesATimeoutThatNoApiServerTakes(Duration timeout) {
    assertThatThrownBy(() -> new GuardSettings("https://hook", "", FailurePolicy.FAIL, timeout))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Coverage references(String resource, ReferenceGuard guard) {
    return references(new ResourceType("compute.example.com", "v1beta1", resource), guard);
  }

  private static Coverage references(String group, String resource) {
    return references(new ResourceType(group, "v1alpha1", resource), ReferenceGuard.OBJECT);
  }

  private static Coverage references(ResourceType type, ReferenceGuard guard) {
    return new Coverage(new TreeMap<>(), new TreeMap<>(Map.of(type, guard)));
  }

  /** Name, resources, operations, failure policy, side effects and match condition of each. */
  private static List<String> entries(Coverage coverage) {
    var entries = new ArrayList<String>();
    for (Object entry : WebhookConfigurationBuilder.webhooks(settings(""), PROVIDER, coverage)) {
      var resources = new TreeSet<String>();
      var operations = new TreeSet<String>();
      for (Object rule : Trees.listOrEmpty(Trees.at(entry, "rules"))) {
        Trees.listOrEmpty(Trees.at(rule, "resources")).forEach(r -> resources.add((String) r));
        Trees.listOrEmpty(Trees.at(rule, "operations")).forEach(o -> operations.add((String) o));
      }
      List<Object> conditions = Trees.listOrEmpty(Trees.at(entry, "matchConditions"));
      entries.add(
          "%s %s %s %s %s %s"
              .formatted(
                  Trees.at(entry, "name"),
                  String.join(",", resources),
                  String.join(",", operations),
                  Trees.at(entry, "failurePolicy"),
                  Trees.at(entry, "sideEffects"),
                  conditions.isEmpty() ? "" : Trees.at(conditions.getFirst(), "name")));
    }
    return entries;
  }

  private static GuardSettings settings(String ca) {
    return new GuardSettings(
        "https://hook:9443/validate", ca, FailurePolicy.FAIL, Duration.ofSeconds(10));
  }
}
