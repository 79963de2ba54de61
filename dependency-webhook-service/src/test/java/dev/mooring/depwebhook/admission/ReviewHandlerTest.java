package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.admission.ReviewFixture.UID;
import static dev.mooring.depwebhook.admission.ReviewFixture.VPC;
import static dev.mooring.depwebhook.admission.ReviewFixture.deletion;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewHandlerTest {
  private static final WebhookEntry ENTRY = new WebhookEntry("", WebhookEntry.Kind.DENYING);
  private static final WebhookEntry WARNING = new WebhookEntry("", WebhookEntry.Kind.WARNING);

  private final ReviewFixture ground = new ReviewFixture();

  @Test
  void refusesToDeleteWhatIsStillReferenced() {
    assertThat(answer(deletion("net1", VPC)))
        .isEqualTo(
            refused(
                403,
                "Forbidden",
                "cannot delete vpcs/net1: still referenced by VirtualMachine/vm1"));
  }

  @Test
  void takesTheNameFromTheObjectBecauseACollectionHasNone() {
    assertThat(answer(deletion("", VPC)))
        .isEqualTo(
            refused(
                403,
                "Forbidden",
                "cannot delete vpcs/net1: still referenced by VirtualMachine/vm1"));
  }

  @Test
  void takesTheNamespaceFromTheObject() {
    var elsewhere = new HashMap<>(VPC);
    elsewhere.put("namespace", "other");

    assertThat(answer(deletion("net1", elsewhere))).isEqualTo(allowed());
  }

  @Test
  void allowsWhatNothingRefersTo() {
    var free = new HashMap<>(VPC);
    free.put("name", "net2");

    assertThat(answer(deletion("net2", free))).isEqualTo(allowed());
  }

  @Test
  void allowsWhatIsAnnotatedToSkipProtection() {
    var skipped = new HashMap<>(VPC);
    skipped.put(
        "annotations",
        Map.of(
            "kcp.io/cluster", "consumer1",
            "dependencies.opendefense.cloud/skip-protection", "true"));

    assertThat(answer(deletion("net1", skipped))).isEqualTo(allowed());
    assertThat(ground.workspace.requests).isEmpty();
  }

  @Test
  void refusesEverythingUntilTheRulesAreLoaded() {
    ground.rules = () -> new Rules.Loading<>("the endpoint slice is missing");

    assertThat(answer(deletion("net1", VPC)))
        .isEqualTo(
            refused(403, "Forbidden", "dependency webhook not yet initialized, retry later"));
  }

  @Test
  void deniesEveryDeletionWhileItsRulesAreStale() {
    ground.rules = () -> new Rules.Stale<>(RuleIndex.EMPTY, "no watch event or bookmark for 80 s");

    assertThat(answer(deletion("net1", VPC)))
        .isEqualTo(refused(403, "Forbidden", "the rule cache is stale; retry later"));
  }

  @Test
  void warnsOfAnAdvisoryDeletionWhileItsRulesAreNotLoadedOrStale() {
    for (Rules<RuleIndex> unknown :
        List.of(
            new Rules.Loading<RuleIndex>("the endpoint slice is missing"),
            new Rules.Stale<>(RuleIndex.of(List.of(vmNeedsVpc())), "no watch event"))) {
      ground.rules = () -> unknown;

      assertThat(answer(deletion("net1", VPC), WARNING))
          .isEqualTo(unchecked("the dependency webhook does not know its rules now"));
    }
  }

  @Test
  void warnsOfAnAdvisoryDeletionThatCannotBeParsed() {
    assertThat(answer(deletion("net1", VPC).without("request", "oldObject"), WARNING))
        .isEqualTo(unchecked("failed to parse object: the review carries none"));
  }

  @Test
  void warnsOfAnAdvisoryDeletionThatMeetsABug() {
    ground.rules =
        () -> {
          throw new IllegalStateException("a mistake");
        };

    assertThat(answer(deletion("net1", VPC), WARNING))
        .isEqualTo(
            unchecked("the dependency webhook failed; its log tells why (review " + UID + ")"));
  }

  /** A rule that has just come to refuse; the configuration is about to be written anew. */
  @Test
  void refusesWhatItIsOnlyAskedForAdviceAboutIfARuleItKnowsForbidsIt() {
    KubeObject refused = answer(deletion("net1", VPC));

    assertThat(answer(deletion("net1", VPC), WARNING)).isEqualTo(refused);

    ground.workspace.failsOnce(Kind.UNAVAILABLE, 503, "GET virtualmachines: 503 etcd is away");
    assertThat(answer(deletion("net1", VPC), WARNING).at("response", "allowed")).isEqualTo(false);
  }

  @Test
  void warnsTheSameOfWhatItIsOnlyAskedForAdviceAbout() {
    ground.rules = enforcing(Mode.WARN);

    assertThat(answer(deletion("net1", VPC), WARNING)).isEqualTo(answer(deletion("net1", VPC)));
  }

  @Test
  void refusesWhatItCannotCheck() {
    ground.workspace.failsOnce(Kind.UNAVAILABLE, 503, "GET virtualmachines: 503 etcd is away");

    assertThat(answer(deletion("net1", VPC)))
        .isEqualTo(
            refused(
                500,
                "",
                "the dependency webhook could not read all that may still refer to it; ask again"
                    + " (details for the operator: the webhook's log on review "
                    + ReviewFixture.UID
                    + ")"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"FORBIDDEN", "UNAUTHORIZED"})
  void advisesNoRetryWhereOnlyAPermissionHelps(Kind kind) {
    ground.workspace.failsOnce(
        kind, 403, "virtualmachines is forbidden: User \"webhook\" cannot list resource");

    assertThat(answer(deletion("net1", VPC)))
        .isEqualTo(
            refused(
                500,
                "",
                "the dependency webhook cannot read all that may still refer to it until the"
                    + " platform's operator corrects a rule or a permission"
                    + " (details for the operator: the webhook's log on review "
                    + ReviewFixture.UID
                    + ")"));
  }

  @Test
  void countsAllRulesWhileTheProviderIsUnknown() {
    assertThat(
            answer(deletion("net1", VPC), new WebhookEntry("provider1", WebhookEntry.Kind.DENYING)))
        .isEqualTo(
            refused(
                403,
                "Forbidden",
                "cannot delete vpcs/net1: still referenced by VirtualMachine/vm1"));
  }

  @Test
  void allowsWithAWarningWhereTheRuleOnlyWarns() {
    ground.rules = enforcing(Mode.WARN);

    KubeObject answer = answer(deletion("net1", VPC));

    assertThat(answer.at("response", "allowed")).isEqualTo(true);
    assertThat(answer.list("response", "warnings"))
        .containsExactly("vpcs/net1 is still referenced by VirtualMachine/vm1");
  }

  @Test
  void warnsOfWhatItCannotCheckWithoutTheDetail() {
    ground.rules = enforcing(Mode.WARN);
    ground.workspace.failsOnce(Kind.UNAVAILABLE, 503, "GET virtualmachines: 503 etcd is away");

    KubeObject answer = answer(deletion("net1", VPC));

    assertThat(answer.at("response", "allowed")).isEqualTo(true);
    assertThat(answer.list("response", "warnings"))
        .singleElement()
        .asString()
        .endsWith("(details for the operator: the webhook's log on review " + UID + ")")
        .doesNotContain("etcd", "vm-dependencies", "compute1");
  }

  @Test
  void allowsAndRecordsWhereTheRuleOnlyAudits() {
    ground.rules = enforcing(Mode.AUDIT);

    assertThat(answer(deletion("net1", VPC))).isEqualTo(allowed());

    assertThat(ground.heard)
        .singleElement()
        .extracting(checked -> ((Allowed) checked).audits().getFirst().message())
        .isEqualTo("vpcs/net1 is still referenced by VirtualMachine/vm1");
  }

  @Test
  void reportsNoDryRun() {
    assertThat(
            answer(deletion("net1", VPC).with(true, "request", "dryRun")).at("response", "allowed"))
        .isEqualTo(false);

    assertThat(ground.heard).isEmpty();
  }

  @Test
  void saysWhyABypassHasEnded() {
    var skipped = new HashMap<>(VPC);
    skipped.put(
        "annotations",
        Map.of(
            "kcp.io/cluster", "consumer1",
            "dependencies.opendefense.cloud/skip-protection", "until=1999-01-01T00:00:00Z"));

    assertThat(answer(deletion("net1", skipped)).text("response", "status", "message"))
        .isEqualTo(
            "cannot delete vpcs/net1: still referenced by VirtualMachine/vm1; not bypassed: the"
                + " annotation does not count: it ended at 1999-01-01T00:00:00Z");
  }

  @Test
  void readsAReviewOfThreeMebibytes() {
    KubeObject review =
        deletion("net1", VPC).with("x".repeat(3 << 20), "request", "oldObject", "spec", "bulk");

    assertThat(answer(review).text("response", "status", "message"))
        .isEqualTo("cannot delete vpcs/net1: still referenced by VirtualMachine/vm1");
  }

  private static RuleSource enforcing(Mode mode) {
    Enforcement usual = Enforcement.DEFAULT;
    DependencyRule rule =
        vmNeedsVpc()
            .with(
                new Enforcement(
                    mode,
                    usual.whileTerminating(),
                    usual.bypass(),
                    usual.consistency(),
                    usual.raceProtection()));
    return () -> new Rules.Loaded<>(RuleIndex.of(List.of(rule)));
  }

  @Test
  void allowsOperationsThatDeleteNothing() {
    assertThat(answer(deletion("net1", VPC).with("CONNECT", "request", "operation")))
        .isEqualTo(allowed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"CREATE", "UPDATE"})
  void allowsWhatNoRuleWantsReviewed(String operation) {
    assertThat(answer(writing(operation))).isEqualTo(allowed());
  }

  @Test
  void namesWhatIsWrongWithAReviewOfAWrite() {
    assertThat(answer(writing("CREATE").without("request", "object")))
        .isEqualTo(refused(400, "", "the review has no request.object or request.resource"));
    assertThat(answer(writing("UPDATE").without("request", "oldObject")))
        .isEqualTo(refused(400, "", "failed to parse object: the review has no oldObject"));
    assertThat(answer(writing("CREATE").without("request", "object", "metadata", "annotations")))
        .isEqualTo(refused(400, "", "object has no kcp.io/cluster annotation"));
  }

  private static KubeObject writing(String operation) {
    KubeObject deletion = deletion("net1", VPC);
    return deletion
        .with(operation, "request", "operation")
        .with(deletion.at("request", "oldObject"), "request", "object");
  }

  @Test
  void fallsBackToTheObjectWhereThereIsNoOldOne() {
    KubeObject review = deletion("net1", VPC);
    KubeObject swapped =
        review
            .with(review.at("request", "oldObject"), "request", "object")
            .without("request", "oldObject");

    assertThat(answer(swapped).text("response", "status", "message"))
        .isEqualTo("cannot delete vpcs/net1: still referenced by VirtualMachine/vm1");
  }

  @Test
  void namesWhatIsWrongWithAReview() {
    KubeObject review = deletion("net1", VPC);

    assertThat(answer(review.without("request", "oldObject")))
        .isEqualTo(refused(400, "", "failed to parse object: the review carries none"));
    assertThat(answer(review.without("request", "oldObject", "metadata", "annotations")))
        .isEqualTo(refused(400, "", "object has no kcp.io/cluster annotation"));
    assertThat(answer(review.without("request", "oldObject", "metadata", "name")))
        .isEqualTo(refused(400, "", "failed to parse object: it has no metadata.name"));
    assertThat(answer(review.with("admission.k8s.io/v1beta1", "apiVersion")))
        .isEqualTo(
            refused(
                400,
                "",
                "expected admission.k8s.io/v1 AdmissionReview, got admission.k8s.io/v1beta1"
                    + " AdmissionReview"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "CREATE", "UPDATE"})
  void namesAnObjectWhoseClusterCannotBe(String operation) {
    KubeObject review = deletion("net1", VPC);
    KubeObject object =
        KubeObject.of(review.map("request", "oldObject"))
            .with("Not a cluster", "metadata", "annotations", "kcp.io/cluster");

    assertThat(
            answer(
                review
                    .with(operation, "request", "operation")
                    .with(object.tree(), "request", "object")
                    .with(object.tree(), "request", "oldObject")))
        .isEqualTo(
            refused(
                400,
                "",
                "object's kcp.io/cluster annotation is not the name of a logical cluster: Not a"
                    + " cluster"));
  }

  @Test
  void namesAFieldThatIsNotOfTheTypeThatApiServersWrite() {
    KubeObject review = deletion("net1", VPC);

    assertThat(answer(review.with(5L, "request", "resource", "group")))
        .isEqualTo(refused(400, "", "the review's request.resource.group is no text"));
    assertThat(answer(review.with("vpcs", "request", "resource")))
        .isEqualTo(refused(400, "", "the review's request.resource is no object"));
    assertThat(answer(review.with("maybe", "request", "dryRun")))
        .isEqualTo(refused(400, "", "the review's request.dryRun is neither true nor false"));
    assertThat(answer(review.with("delete", "request", "operation")))
        .isEqualTo(refused(400, "", "the review's request.operation is delete"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "\"text\"", "{\"request\":", "\u0000", "{}{}"})
  void answersAnythingWithAWellFormedReview(String body) {
    Answer answer =
        ground
            .handler()
            .handleReview(body.getBytes(StandardCharsets.UTF_8), ENTRY, Deadline.none());

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(review.apiVersion()).isEqualTo("admission.k8s.io/v1");
    assertThat(review.kind()).isEqualTo("AdmissionReview");
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    assertThat(review.at("response", "status", "code")).isEqualTo(400L);
    assertThat(answer.outcome()).isEqualTo(Outcome.MALFORMED);
  }

  @Test
  void repeatsTheUidOfABodyThatIsCutOff() {
    byte[] whole = KubeJson.write(deletion("net1", VPC));
    String start =
        "{\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"" + UID + "\",\"kind\":{\"group\":";

    assertThat(
            KubeJson.readObject(
                    ground
                        .handler()
                        .handleReview(
                            start.getBytes(StandardCharsets.UTF_8), ENTRY, Deadline.none())
                        .body())
                .text("response", "uid"))
        .isEqualTo(UID);
    assertThat(
            KubeJson.readObject(ReviewFailure.tooLarge(whole, 100).answerFor(Mode.DENY).body())
                .text("response", "status", "message"))
        .isEqualTo("the review is larger than 100 bytes");
  }

  private KubeObject answer(KubeObject review) {
    return answer(review, ENTRY);
  }

  private KubeObject answer(KubeObject review, WebhookEntry entry) {
    int before = ground.heard.size();
    ReviewHandler handler = ground.handler();
    Answer answer = handler.handleReview(KubeJson.write(review), entry, Deadline.none());
    assertThat(ground.heard).hasSize(before);
    handler.report(answer);
    return KubeJson.readObject(answer.body());
  }

  private static KubeObject allowed() {
    return response(Map.of("uid", UID, "allowed", true));
  }

  private static KubeObject unchecked(String why) {
    return response(
        Map.of(
            "uid",
            UID,
            "allowed",
            true,
            "warnings",
            List.of("not checked for what still refers to it: " + why)));
  }

  private static KubeObject refused(int code, String reason, String message) {
    var status = new HashMap<String, Object>();
    status.put("code", code);
    status.put("message", message);
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    return response(Map.of("uid", UID, "allowed", false, "status", status));
  }

  private static KubeObject response(Map<String, Object> response) {
    return KubeObject.of(
        Map.of(
            "apiVersion", "admission.k8s.io/v1",
            "kind", "AdmissionReview",
            "response", response));
  }
}
