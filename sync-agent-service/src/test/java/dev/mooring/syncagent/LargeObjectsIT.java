package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.SyncState.Problem;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects up to what etcd takes. */
@Tag("full")
class LargeObjectsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(150);

  /** Of short texts: there is no room for their state in an annotation, in a Secret there is. */
  private static final int LARGE = 600_000;

  /** Just fits into etcd, with what a server and the agent add. */
  private static final int LARGEST = 1_480_000;

  /** In base64, of the 1 MiB that the values of a Secret may take. */
  private static final int HALF = 698_000;

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

  @ParameterizedTest
  @EnumSource(Side.class)
  void syncsSecretsOfOneMebibyteAsTheyChange(Side origin) {
    boolean fromKcp = origin == Side.KCP;
    String id = "mebibyte" + (fromKcp ? 1 : 2);
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            id,
            "{'identifier':'big','origin':'%s','kind':'Secret','object':{'template':{'template':'%s'}}}"
                .formatted(fromKcp ? "kcp" : "service", id));
    KubeClient there = fromKcp ? stage.consumer() : stage.service();
    KubeClient here = fromKcp ? stage.service() : stage.consumer();
    String home = fromKcp ? "default" : stage.local();
    String place = fromKcp ? stage.local() : "default";
    RelatedStage.namespace(there, home);
    var data = new HashMap<String, String>(Map.of("a", noise(6, HALF), "b", noise(7, HALF)));
    there.create(
        SECRETS,
        TwoClusters.object(
                "{apiVersion: v1, kind: Secret, metadata: {namespace: %s, name: %s}}"
                    .formatted(home, id))
            .with(data, "data"));
    stage.order("a");
    awaitData(here, place, id, data);

    // What is changed in the copy alone stays, and values of the original come.
    here.patch(SECRETS, place, id, Map.of("data", Map.of("local", "bG9jYWw=")));
    for (Map<String, String> change :
        List.of(
            Map.of("a", noise(8, HALF)),
            Map.of("a", noise(6, HALF)),
            Map.of("b", "c2hvcnQ="),
            Map.of("a", "", "c", noise(9, HALF)))) {
      var patch = new HashMap<String, Object>(change);
      patch.replaceAll((_, value) -> "".equals(value) ? null : value);
      there.patch(SECRETS, home, id, Map.of("data", patch));
      change.forEach((key, value) -> data.merge(key, value, (_, now) -> now));
      data.values().removeIf(String::isEmpty);
      var wanted = new HashMap<>(data);
      wanted.put("local", "bG9jYWw=");
      awaitData(here, place, id, wanted);
    }
  }

  private static void awaitData(
      KubeClient client, String namespace, String name, Map<String, String> data) {
    clusters.eventually(
        client,
        SECRETS,
        namespace,
        name,
        seen -> assertThat(seen.map("data").equals(data)).isTrue());
  }

  @Test
  void syncsATextAsLongAsEtcdTakes() {
    OrderedKind orders = OrderedKind.publish(clusters, "long");
    orders.order("d");
    KubeObject copy = orders.copy("d");
    for (int seed : new int[] {10, 11, 10}) {
      String text = noise(seed, LARGEST);
      orders
          .workspace()
          .patch(orders.source(), "default", "d", Map.of("spec", Map.of("long", text)));
      copy = orders.copy("d", seen -> assertThat(text.equals(seen.at("spec", "long"))).isTrue());
    }
    assertThat(copy.annotations()).containsKey(SyncMarks.LAST_KNOWN_STATE);
    assertThat(states("d")).isEmpty();
  }

  private static void fill(OrderedKind orders, String text) {
    fill(orders, "a", text);
  }

  private static void fill(OrderedKind orders, String name, String text) {
    orders
        .workspace()
        .patch(
            orders.source(),
            "default",
            name,
            Map.of("spec", Map.of("text", List.of(text.split("(?<=\\G.{200})")))));
  }

  /** Without printing either. */
  private static void hasText(KubeObject seen, String text) {
    assertThat(text.equals(String.join("", Trees.texts(seen.at("spec", "text"))))).isTrue();
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
