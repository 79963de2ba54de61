package dev.mooring.sandbox.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.values.NullValue;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.policy.Validation.Outcome;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValidationTest {
  private static final ResourceDefinition CONFIG_MAPS =
      ResourceDefinition.define(
              ResourceType.core("configmaps"),
              ResourceNames.of("configmaps", "ConfigMap", "cm"),
              Scope.NAMESPACED)
          .build();

  @Test
  void trueExpressionHolds() {
    assertThat(outcome("'expression':'object.data.size() == 1'")).isEqualTo(new Outcome.Holds());
  }

  @Test
  void violationHasItsMessageAndReason() {
    assertThat(outcome("'expression':'has(object.nothing)','message':'nothing is required'"))
        .isEqualTo(new Outcome.Violated("nothing is required", "Invalid"));
    assertThat(outcome("'expression':'false','reason':'Forbidden'"))
        .isEqualTo(new Outcome.Violated("failed expression: false", "Forbidden"));
  }

  @Test
  void messageExpressionWinsOverTheMessage() {
    assertThat(
            outcome(
                "'expression':'false','message':'fixed',"
                    + "'messageExpression':'object.metadata.name + request.operation'"))
        .isEqualTo(new Outcome.Violated("aCREATE", "Invalid"));
  }

  @Test
  void messageExpressionWithoutAValueFallsBackToTheMessage() {
    assertThat(
            outcome(
                "'expression':'false','message':'fixed','messageExpression':'object.nothing.x'"))
        .isEqualTo(new Outcome.Violated("fixed", "Invalid"));
  }

  @Test
  void expressionWithoutAValueIsUndecided() {
    assertThat(outcome("'expression':'object.nothing.x == 1'"))
        .isEqualTo(
            new Outcome.Undecided(
                "expression 'object.nothing.x == 1' resulted in error: no such key: nothing"));
  }

  @Test
  void variablesBuildOnEachOther() {
    assertThat(outcome("'expression':'variables.twice == 2'")).isEqualTo(new Outcome.Holds());
  }

  @Test
  void namespaceAndOldObjectCanBeUsed() {
    assertThat(
            outcome("'expression':'namespaceObject.metadata.name.size() > 0 && oldObject == null'"))
        .isEqualTo(new Outcome.Holds());
  }

  @Test
  void variableWithoutAValueSaysWhich() {
    assertThat(outcome("'expression':'variables.broken == 2'"))
        .isEqualTo(
            new Outcome.Undecided(
                "expression 'variables.broken == 2' resulted in error: composited variable"
                    + " \"broken\" fails to evaluate: no such key: nothing"));
  }

  @Test
  void messageCannotAskForPermissions() {
    assertThat(
            outcome(
                "'expression':'variables.permitted','message':'fixed',"
                    + "'messageExpression':'string(variables.permitted)'"))
        .isEqualTo(new Outcome.Violated("fixed", "Invalid"));
  }

  private static Outcome outcome(String validation) {
    PolicySpec spec =
        PolicySpec.of(
            KubeJson.readObject(
                """
                {"metadata": {"name": "p"}, "spec": {"variables": [
                 {"name":"once","expression":"object.data.size()"},
                 {"name":"twice","expression":"variables.once * 2"},
                 {"name":"broken","expression":"object.nothing.x"},
                 {"name":"permitted","expression":"authorizer.path('/').check('get').allowed()"}]}}\
                """));
    Map<String, Object> values =
        PolicyValues.of(
            write(),
            NullValue.NULL_VALUE,
            attributes -> new Decision.Denied("access denied"),
            Optional.of(namespace()));
    return Validation.of(KubeJson.read("{" + validation.replace('\'', '"') + "}"), spec)
        .evaluate(spec.variables().values(values), Validation.messageValues(spec, values));
  }

  private static VersionedRequest write() {
    KubeObject object =
        KubeJson.readObject(
            "{\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"},\"data\":{\"k\":\"v\"}}");
    return new VersionedRequest(
        new AdmissionRequest(
            AdmissionRequest.Operation.CREATE,
            CONFIG_MAPS,
            new LogicalCluster("abc"),
            "default",
            "a",
            "",
            UserInfo.of("alice"),
            Optional.of(object),
            Optional.empty(),
            Effect.STORE,
            Map.of()),
        CONFIG_MAPS);
  }

  private static KubeObject namespace() {
    return KubeObject.of(Map.of("metadata", Map.of("name", "default")));
  }
}
