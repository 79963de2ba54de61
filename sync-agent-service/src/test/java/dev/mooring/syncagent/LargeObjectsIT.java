package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Objects up to what etcd takes. */
@Tag("full")
class LargeObjectsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  /** Of a state in an annotation there is no room for this, in a Secret there is. */
  private static final int LARGE = 600_000;

  /** Just fits into etcd, with what a server and the agent add. */
  private static final int LARGEST = 1_480_000;

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @Test
  void keepsALargeStateInASecretAndWhatIsLocalInTheCopy() {
    OrderedKind orders = OrderedKind.publish(clusters, "large");
    orders.order("a");
    orders.copy("a");
    fill(orders, noise(1, LARGE));
    KubeObject copy = orders.copy("a", seen -> hasText(seen, noise(1, LARGE)));

    // Content is written first, then the state; what it was before goes last.
    await().atMost(PATIENCE).until(() -> states("a").size() == 1);
    orders.copy(
        "a", seen -> assertThat(seen.annotations()).doesNotContainKey(SyncMarks.LAST_KNOWN_STATE));
    clusters
        .service()
        .patch(
            orders.target(),
            copy.namespace(),
            copy.name(),
            Map.of("spec", Map.of("size", 77L, "local", true)));
    fill(orders, noise(2, LARGE));

    KubeObject changed = orders.copy("a", seen -> hasText(seen, noise(2, LARGE)));
    assertThat(changed.at("spec", "size")).isEqualTo(77L);
    assertThat(changed.at("spec", "local")).isEqualTo(true);
    fill(orders, "short");

    orders.copy(
        "a",
        seen -> {
          hasText(seen, "short");
          assertThat(seen.at("spec", "size")).isEqualTo(77L);
          assertThat(seen.annotations()).containsKey(SyncMarks.LAST_KNOWN_STATE);
        });
    orders.delete("a");
    orders.awaitGone("a");
    assertThat(states("a")).isEmpty();
  }

  @Test
  void leavesACopyAloneWhoseStateFitsNowhere() {
    OrderedKind orders = OrderedKind.publish(clusters, "huge");
    orders.order("b");
    KubeObject copy = orders.copy("b");
    clusters
        .service()
        .patch(orders.target(), copy.namespace(), copy.name(), Map.of("spec", Map.of("size", 77L)));

    fill(orders, "b", noise(3, LARGEST));

    orders.awaitEvent("b", "StateTooLarge", "Nothing was changed");
    orders.awaitProblem("huge", Problem.OBJECTS_FAILING, "StateTooLarge (1)");
    assertThat(orders.copy("b").at("spec", "text")).isNull();
    assertThat(orders.copy("b").at("spec", "size")).isEqualTo(77L);
    fill(orders, "b", "short");

    orders.copy(
        "b",
        seen -> {
          hasText(seen, "short");
          assertThat(seen.at("spec", "size")).isEqualTo(77L);
        });
    orders.awaitNoProblem("huge");
  }

  @Test
  void makesNoRoomForAStateWhereTheCopyItselfTakesItAll() {
    OrderedKind orders = OrderedKind.publish(clusters, "compact");
    orders.order("c");
    orders.copy("c");

    // Some 120 kB once compressed: that would do for an annotation, if etcd took the whole.
    String text = noise(4, 120_000) + noise(5, 10_000).repeat((LARGEST - 120_000) / 10_000);
    fill(orders, "c", text);

    KubeObject copy = orders.copy("c", seen -> hasText(seen, text));
    assertThat(copy.annotations()).containsEntry(SyncMarks.SOURCE_NAME, "c");
    await().atMost(PATIENCE).until(() -> states("c").size() == 1);
    orders.copy(
        "c", seen -> assertThat(seen.annotations()).doesNotContainKey(SyncMarks.LAST_KNOWN_STATE));
  }

  private static void fill(OrderedKind orders, String text) {
    fill(orders, "a", text);
  }

  private static void fill(OrderedKind orders, String name, String text) {
    orders
        .workspace()
        .patch(orders.source(), "default", name, Map.of("spec", Map.of("text", text)));
  }

  /** Without printing either. */
  private static void hasText(KubeObject seen, String text) {
    assertThat(text.equals(seen.at("spec", "text"))).isTrue();
  }

  private static List<KubeObject> states(String name) {
    return clusters.service().list(SECRETS, ListQuery.ALL).items().stream()
        .filter(secret -> secret.labels().containsKey(SyncMarks.OBJECT_STATE))
        .filter(secret -> secret.annotations().containsValue(name))
        .toList();
  }

  /** Text that can hardly be compressed. */
  private static String noise(int seed, int length) {
    byte[] bytes = new byte[length * 3 / 4];
    new Random(seed).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
