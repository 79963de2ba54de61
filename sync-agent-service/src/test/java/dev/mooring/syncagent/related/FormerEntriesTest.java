package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Of an entry that is taken out of the PublishedResource, or called otherwise, nothing stays. */
class FormerEntriesTest {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final String DOWN =
      "{'identifier':'settings','origin':'kcp','kind':'Secret',"
          + "'object':{'template':{'template':'settings'}}}";
  private static final String UP =
      "{'identifier':'login','origin':'service','kind':'Secret',"
          + "'object':{'template':{'template':'login'}}}";

  private final RelatedBench bench = new RelatedBench();

  @Test
  void losesItsCopiesAndWhatWasHeldForThem() {
    Member a = brought(DOWN, UP);
    assertThat(notes(a)).isNotEmpty();

    a = edited(a);

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).isEmpty();
    assertThat(bench.inKcp("login")).isEmpty();
    assertThat(bench.onService("login")).isPresent();
    assertThat(notes(a)).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void leavesTheOtherEntriesAsTheyAre() {
    Member a = brought(DOWN, UP);

    a = edited(a, UP);

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("login")).isPresent();
    assertThat(notes(a)).hasSize(1);
  }

  @Test
  void handsItsCopiesOnWhereItIsOnlyCalledOtherwise() {
    Member a = brought(DOWN, UP);
    String settings = bench.onService("settings").orElseThrow().uid();
    String login = bench.inKcp("login").orElseThrow().uid();
    bench.owner.patch(
        RelatedBench.SECRETS,
        RelatedBench.CLUSTER.name(),
        "settings",
        Map.of("data", Map.of("local", "kept")));

    a = edited(a, DOWN.replace("'settings','", "'config','"), UP.replace("'login','", "'creds','"));

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings").orElseThrow().uid()).isEqualTo(settings);
    assertThat(bench.onService("settings").orElseThrow().at("data", "local")).isEqualTo("kept");
    assertThat(bench.inKcp("login").orElseThrow().uid()).isEqualTo(login);
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).hasSize(2);
    assertThat(bench.records()).hasSize(2);
    assertThat(notes(a)).singleElement().asString().endsWith("/creds.0");
    a.cancel("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void holdsNothingBackWhereThePrimaryGoesMeanwhile() {
    Member a = brought(DOWN, UP);
    a.cancel("a1");

    a = edited(a);

    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void isClearedAwayWhereThePrimaryWasTakenByForceMeanwhile() {
    Member a = brought(DOWN, UP);
    a.takeByForce("a1");

    a = edited(a);
    assertThat(a.due).contains(RelatedBench.key("a1"));
    a.settleDue();

    assertThat(bench.onService("settings")).isEmpty();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).isEmpty();
    assertThat(bench.records()).isEmpty();
  }

  @Test
  void leavesWhatAnEntryMayCallForThatCannotBeFollowed() {
    Member a = brought(DOWN);

    a =
        edited(
            a,
            "{'identifier':'config','origin':'kcp','kind':'Secret','object':{'selector':{"
                + "'matchLabels':{'a':'b'},'rewrite':{'template':{'template':'{{ fail `no` }}'}}}}}");
    bench.consumer.patch(
        RelatedBench.SECRETS,
        "default",
        "settings",
        Map.of("metadata", Map.of("labels", Map.of("a", "b"))));

    assertThat(a.settle("a1")).isInstanceOf(Progress.Refused.class);
    assertThat(bench.onService("settings")).isPresent();
    assertThat(bench.inKcp("settings").orElseThrow().finalizers()).hasSize(2);
  }

  private Member brought(String... entries) {
    bench.secretInKcp("settings");
    bench.secretOnService("login");
    Member a = bench.join(A, entries);
    a.order("a1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("settings")).isPresent();
    return a;
  }

  /** The PublishedResource has these entries from now on, so its sync starts anew. */
  private Member edited(Member member, String... entries) {
    member.close();
    return bench.join(A, entries);
  }

  private static java.util.List<String> notes(Member member) {
    return member.primary("a1").annotations().keySet().stream()
        .filter(key -> key.startsWith(SyncMarks.RELATED_PREFIX))
        .toList();
  }
}
