package dev.mooring.sandbox.admission.webhook;

import static dev.mooring.sandbox.admission.webhook.Reviews.create;
import static dev.mooring.sandbox.admission.webhook.Reviews.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.webhook.ReviewCodec.Answer;
import dev.mooring.sandbox.admission.webhook.ReviewCodec.InvalidAnswer;
import dev.mooring.sandbox.admission.webhook.ReviewCodec.Kind;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReviewCodecTest {
  private static final Webhook WEBHOOK = webhook("'rules':[]");

  @Test
  void reviewOfACreateIsThatOfKubernetes() throws Exception {
    AdmissionRequest request = create("{'name':'g-x1','generateName':'g-'}");

    String review =
        new String(
            ReviewCodec.write(
                new WebhookCall(WEBHOOK, new VersionedRequest(request, request.definition())),
                "u-1"),
            StandardCharsets.UTF_8);

    assertThat(review)
        .isEqualTo(
            """
            {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",\
            "kind":{"group":"a.io","version":"v1","kind":"Gizmo"},\
            "resource":{"group":"a.io","version":"v1","resource":"gizmos"},\
            "requestKind":{"group":"a.io","version":"v1","kind":"Gizmo"},\
            "requestResource":{"group":"a.io","version":"v1","resource":"gizmos"},\
            "name":"g-x1","namespace":"default","operation":"CREATE",\
            "userInfo":{"username":"alice","groups":["team"]},\
            "object":{"apiVersion":"a.io/v1","kind":"Gizmo",\
            "metadata":{"name":"g-x1","generateName":"g-","annotations":{"kcp.io/cluster":"%s"}}},\
            "oldObject":null,"dryRun":false,\
            "options":%s}}\
            """
                .formatted(request.cluster().name(), KubeJson.writeText(request.options())));
  }

  @Test
  void objectsOfADeletecollectionGoWithoutName() throws Exception {
    AdmissionRequest request =
        Reviews.deleteOfCollection(
            KubeObject.of(Map.of("metadata", Map.of("name", "g", "namespace", "default"))));

    KubeObject review =
        KubeJson.readObject(
            ReviewCodec.write(
                new WebhookCall(WEBHOOK, new VersionedRequest(request, request.definition())),
                "u-1"));

    assertThat(review.map("request")).doesNotContainKey("name").containsEntry("object", null);
    assertThat(review.text("request", "oldObject", "metadata", "name")).isEqualTo("g");
  }

  @Test
  void readsADenialWithItsStatusAndWarnings() throws Exception {
    Answer answer =
        read(
            Kind.VALIDATING,
            "{'uid':'u-1','allowed':false,'status':{'code':403,'message':'no'},'warnings':['w']}");

    assertThat(answer.allowed()).isFalse();
    assertThat(answer.result())
        .isEqualTo(Optional.of(KubeObject.of(Map.of("code", 403, "message", "no"))));
    assertThat(answer.warnings()).containsExactly("w");
  }

  @Test
  void readsAPatchOfAMutatingWebhook() throws Exception {
    Answer answer =
        read(
            Kind.MUTATING,
            // [{"op":"remove","path":"/a"}]
            "{'uid':'u-1','allowed':true,'patchType':'JSONPatch',"
                + "'patch':'W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL2EifV0='}");

    assertThat(answer.patch()).isEqualTo(List.of(Map.of("op", "remove", "path", "/a")));
  }

  @Test
  void refusesAnswersThatDoNotCount() throws Exception {
    assertInvalid("{'uid':'u-2','allowed':true}", "expected response.uid=\"u-1\", got \"u-2\"");
    assertInvalid(
        "{'uid':'u-1','allowed':true,'patchType':'JSONPatch'}",
        "validating webhook may not return response.patchType");
    assertThatThrownBy(() -> ReviewCodec.read("{}".getBytes(), "u-1", WEBHOOK, Kind.VALIDATING))
        .isInstanceOf(InvalidAnswer.class)
        .hasMessage("received invalid webhook response: webhook response was absent");
    assertThatThrownBy(() -> ReviewCodec.read("boom".getBytes(), "u-1", WEBHOOK, Kind.VALIDATING))
        .isInstanceOf(WebhookCaller.CallFailed.class);
  }

  private static void assertInvalid(String response, String message) {
    assertThatThrownBy(() -> read(Kind.VALIDATING, response))
        .isInstanceOf(InvalidAnswer.class)
        .hasMessage("received invalid webhook response: " + message);
  }

  private static Answer read(Kind kind, String response) throws WebhookCaller.CallFailed {
    String review =
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"response\":%s}"
            .formatted(response.replace('\'', '"'));
    return ReviewCodec.read(review.getBytes(StandardCharsets.UTF_8), "u-1", WEBHOOK, kind);
  }
}
