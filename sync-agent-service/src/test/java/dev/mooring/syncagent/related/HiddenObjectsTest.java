package dev.mooring.syncagent.related;

import static dev.mooring.syncagent.related.RelatedBench.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a consumer does not let the agent see is not gone. For the agent it looks like that: these
 * tests take it away and put it back.
 */
class HiddenObjectsTest {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final String DOWN =
      "{'identifier':'settings','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'settings'}}}";
  private static final String UP =
      "{'identifier':'login','origin':'service','kind':'Secret','cleanup':true,"
          + "'object':{'template':{'template':'login'}}}";
  private static final String FROM_NAMESPACES =
      "{'identifier':'settings','origin':'kcp','kind':'Secret','object':{"
          + "'template':{'template':'settings'},"
          + "'namespace':{'selector':{'matchLabels':{'team':'a'},"
          + "'rewrite':{'template':{'template':'c1'}}}}}}";

  private final RelatedBench bench = new RelatedBench();

  @Test
  void stayWhereNamespacesAreSelectedAndTheirClaimIsRejected() {
    label("default", Map.of("team", "a"));
    Member a = brought(FROM_NAMESPACES);

    bench.claims("secrets:Accepted", "namespaces:Rejected");
    // Which is how it looks.
    label("default", Map.of("team", "b"));

    assertThat(a.settle("a1"))
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("ClaimRejected");
              assertThat(refused.message()).contains("claim for namespaces");
            });
    assertThatSettingsAreHeld();
    label("default", Map.of("team", "a"));
    bench.claims("secrets:Accepted", "namespaces:Accepted");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThatSettingsAreHeld();
  }

  @Test
  void stayWhereNamespacesAreSelectedAndTheirClaimIsNarrowed() {
    label("default", Map.of("team", "a"));
    Member a = brought(FROM_NAMESPACES);

    bench.claims("secrets:Accepted", "namespaces:shared");
    label("default", Map.of("team", "b"));

    assertNarrowed(a.settle("a1"), "claim for namespaces");
    assertThatSettingsAreHeld();
  }

  @Test
  void syncWithoutNamespacesWhereThoseDecideNothing() {
    bench.claims("secrets:Accepted", "namespaces:Rejected");
    Member a = brought(DOWN, UP);

    assertThatSettingsAreHeld();
    assertThat(bench.inKcp("login")).isPresent();
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
  }

  @Test
  void stayWhereTheClaimIsNarrowed() {
    Member a = brought(DOWN);

    bench.claims("secrets:shared", "namespaces:Accepted");
    KubeObject hidden = hide("settings");

    assertNarrowed(a.settle("a1"), "claim for secrets");
    assertThat(bench.onService("settings")).isPresent();
    assertThat(bench.records()).hasSize(1);
    a.cancel("a1");
    assertNarrowed(a.settle("a1"), "claim for secrets");
    assertThat(bench.onService("settings")).isPresent();
    show(hidden);
    bench.claims("secrets:Accepted", "namespaces:Accepted");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThatNothingIsLeft();
  }

  @Test
  void goWhereTheClaimIsNarrowedAndTheirEndIsSeen() {
    bench.claims("secrets:shared", "namespaces:Accepted");
    Member a = brought(DOWN, UP);

    bench.consumer.delete(SECRETS, "default", "settings", new DeleteCondition.Unconditional());
    bench.owner.delete(SECRETS, "c1", "login", new DeleteCondition.Unconditional());

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings")).isEmpty();
    assertThat(bench.inKcp("login")).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void areNotMadeAgainWhereTheirClaimIsNarrowed() {
    Member a = brought(UP);

    bench.claims("secrets:shared", "namespaces:Accepted");
    KubeObject hidden = hide("login");

    assertNarrowed(a.settle("a1"), "claim for secrets");
    assertThat(bench.inKcp("login")).isEmpty();
    a.cancel("a1");
    assertNarrowed(a.settle("a1"), "claim for secrets");
    assertThat(bench.records()).hasSize(1);
    show(hidden);
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.inKcp("login")).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void areWaitedForUntilTheServerShowsThemAgain() {
    Member a = brought(DOWN);
    bench.claims("secrets:Rejected", "namespaces:Accepted");
    KubeObject hidden = hide("settings");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Refused.class);

    bench.claimsNotApplied("secrets:Accepted", "namespaces:Accepted");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Waiting.class);
    assertThat(bench.onService("settings")).isPresent();

    show(hidden);
    bench.claims("secrets:Accepted", "namespaces:Accepted");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThatSettingsAreHeld();
  }

  @Test
  void keepThePrimaryFromGoingWhereTheirClaimIsRejected() {
    Member a = brought(DOWN);
    bench.claims("secrets:Rejected", "namespaces:Accepted");
    KubeObject hidden = hide("settings");
    a.cancel("a1");

    assertThat(a.settle("a1"))
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo("ClaimRejected"));
    assertThat(bench.records()).hasSize(1);

    show(hidden);
    bench.claims("secrets:Accepted", "namespaces:Accepted");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThatNothingIsLeft();
  }

  @Test
  void areNobodysBusinessWhereNothingWasMade() {
    bench.claims("secrets:Rejected", "namespaces:Accepted");
    Member a = bench.join(A, DOWN);
    a.order("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Refused.class);

    a.cancel("a1");

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
  }

  private Member brought(String... entries) {
    bench.secretInKcp("settings");
    bench.secretOnService("login");
    Member a = bench.join(A, entries);
    a.order("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.records()).hasSize(entries.length);
    return a;
  }

  private void label(String namespace, Map<String, Object> labels) {
    bench.consumer.patch(
        RelatedBench.NAMESPACES, "", namespace, Map.of("metadata", Map.of("labels", labels)));
  }

  private KubeObject hide(String secret) {
    KubeObject there = bench.inKcp(secret).orElseThrow();
    bench.consumer.patch(
        SECRETS, "default", secret, Map.of("metadata", Map.of("finalizers", List.of())));
    bench.consumer.delete(SECRETS, "default", secret, new DeleteCondition.Unconditional());
    return there;
  }

  /** With the uid that it had. */
  private void show(KubeObject hidden) {
    bench.kcp.restore(SECRETS, RelatedBench.key(hidden.name()), hidden);
  }

  private void assertNarrowed(Progress progress, String which) {
    assertThat(progress)
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo("ClaimNarrowed");
              assertThat(refused.message()).contains(which);
            });
  }

  private void assertThatSettingsAreHeld() {
    assertThat(bench.onService("settings")).isPresent();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).hasSize(2);
  }

  private void assertThatNothingIsLeft() {
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }
}
