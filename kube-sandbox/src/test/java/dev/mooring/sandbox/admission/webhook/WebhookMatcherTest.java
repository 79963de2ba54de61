package dev.mooring.sandbox.admission.webhook;

import static dev.mooring.sandbox.admission.webhook.Reviews.create;
import static dev.mooring.sandbox.admission.webhook.Reviews.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.webhook.WebhookMatcher.Match;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebhookMatcherTest {
  private static final String RULE =
      "'rules':[{'operations':['CREATE'],'apiGroups':['a.io'],'apiVersions':['%s'],"
          + "'resources':['gizmos']}]";
  private static final String ON_V1 = RULE.formatted("v1");

  private Map<String, String> namespaceLabels = Map.of();

  @Test
  void callsForAMatchingRule() {
    assertThat(match(webhook(ON_V1), create("{'name':'g'}"))).isInstanceOf(Match.Call.class);
  }

  @Test
  void equivalentVersionIsShownAsTheRuleNamesIt() {
    Match match = match(webhook(RULE.formatted("v2")), create("{'name':'g'}"));

    assertThat(match).isInstanceOf(Match.Call.class);
    WebhookCall call = ((Match.Call) match).call();
    assertThat(call.write().seen().type().version()).isEqualTo("v2");
    assertThat(call.write().object().orElseThrow().apiVersion()).isEqualTo("a.io/v2");
  }

  @Test
  void exactMatchPolicyIgnoresOtherVersions() {
    assertThat(
            match(webhook(RULE.formatted("v2") + ",'matchPolicy':'Exact'"), create("{'name':'g'}")))
        .isInstanceOf(Match.Skip.class);
  }

  @Test
  void namespaceSelectorLooksAtTheNamespace() {
    Webhook guarded = webhook(ON_V1 + ",'namespaceSelector':{'matchLabels':{'guard':'on'}}");

    namespaceLabels = Map.of("guard", "on");
    assertThat(match(guarded, create("{'name':'g'}"))).isInstanceOf(Match.Call.class);
    namespaceLabels = Map.of("guard", "off");
    assertThat(match(guarded, create("{'name':'g'}"))).isInstanceOf(Match.Skip.class);
  }

  @Test
  void objectSelectorLooksAtEitherState() {
    Webhook labelled = webhook(ON_V1 + ",'objectSelector':{'matchLabels':{'l':'m'}}");

    assertThat(match(labelled, create("{'name':'g','labels':{'l':'m'}}")))
        .isInstanceOf(Match.Call.class);
    assertThat(match(labelled, create("{'name':'g'}"))).isInstanceOf(Match.Skip.class);
  }

  @Test
  void matchConditionsAllHaveToHold() {
    Webhook onlyBig =
        webhook(
            ON_V1
                + ",'matchConditions':["
                + "{'name':'named','expression':'object.metadata.name.startsWith(\\'big\\')'},"
                    .replace("\\'", "\\u0027")
                + "{'name':'by-alice','expression':'request.userInfo.username == \\'alice\\''}]"
                    .replace("\\'", "\\u0027"));

    assertThat(match(onlyBig, create("{'name':'big-one'}"))).isInstanceOf(Match.Call.class);
    assertThat(match(onlyBig, create("{'name':'small'}"))).isInstanceOf(Match.Skip.class);
  }

  @Test
  void conditionWithoutAValueIsLeftToTheFailurePolicy() {
    Webhook failing =
        webhook(ON_V1 + ",'matchConditions':[{'name':'x','expression':'object.spec.level > 3'}]");

    assertThat(match(failing, create("{'name':'g'}")))
        .isEqualTo(
            new Match.Undecided(
                "expression 'object.spec.level > 3' resulted in error: no such key: spec"));
  }

  @Test
  void configurationsAreNeverShownToWebhooks() {
    Webhook all =
        webhook(
            "'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],"
                + "'resources':['*']}]");
    ResourceDefinition configurations =
        ResourceDefinition.define(
                new ResourceType(
                    "admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations"),
                ResourceNames.of(
                    "validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
                Scope.CLUSTER)
            .build();
    AdmissionRequest gizmo = create("{'name':'g'}");
    var request =
        new AdmissionRequest(
            gizmo.operation(),
            configurations,
            gizmo.cluster(),
            "",
            "v",
            "",
            gizmo.user(),
            gizmo.object(),
            gizmo.previous(),
            gizmo.effect(),
            gizmo.options());

    assertThat(match(all, request)).isInstanceOf(Match.Skip.class);
  }

  private Match match(Webhook webhook, AdmissionRequest request) {
    return WebhookMatcher.match(
        webhook,
        request,
        new MatchCriteria.MatchContext(() -> namespaceLabels, () -> List.of(Reviews.gizmos("v2"))));
  }
}
