package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With what copies of related objects of the service cluster go. */
class CleanupPolicyIT {
  private static final String VALUE = "c2VjcmV0";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withAgent();

  @ParameterizedTest
  @CsvSource({
    "unset, '', gone, stays",
    "old, \"cleanup\":true, gone, gone",
    "origin, \"cleanupPolicy\":\"MatchOrigin\", gone, gone",
    "primary, \"cleanupPolicy\":\"OnPrimaryDeletion\", stays, gone",
    "orphan, \"cleanupPolicy\":\"Orphan\", stays, stays",
    "exact, '\"cleanup\":true,\"cleanupPolicy\":\"OnPrimaryDeletion\"', stays, gone"
  })
  void copiesGoAsThePolicySays(
      String id, String policy, String afterOriginal, String afterPrimary) {
    RelatedStage stage =
        RelatedStage.publish(
            clusters,
            id,
            "{'identifier':'login','origin':'service','kind':'Secret',"
                + (policy.isEmpty() ? "" : policy + ",")
                + "'object':{'selector':{'matchLabels':{'order':'"
                + id
                + "'},'rewrite':{'template':{'template':'{{ .Value }}'}}}}}");
    stage.order(id);
    stage.copy(id);
    original(stage, id, "first");
    original(stage, id, "second");

    TwoClusters.delete(stage.service(), TwoClusters.SECRETS, stage.local(), id + "-first");
    if (afterOriginal.equals("gone")) {
      stage.awaitNoSecret(stage.consumer(), "default", id + "-first");
    }
    // Its original came after the end of the first one.
    original(stage, id, "third");
    assertStays(stage, id + "-first", afterOriginal);

    stage.deleteOrder(id);
    stage.awaitOrderGone(id);
    for (String name : new String[] {"-second", "-third"}) {
      if (afterPrimary.equals("gone")) {
        stage.awaitNoSecret(stage.consumer(), "default", id + name);
      }
      assertStays(stage, id + name, afterPrimary);
    }
    if (afterPrimary.equals("gone")) {
      stage.awaitNoSecret(stage.consumer(), "default", id + "-first");
    }
    assertThat(stage.records(id)).isEmpty();
  }

  private static void original(RelatedStage stage, String id, String name) {
    stage.secret(stage.service(), stage.local(), id + "-" + name, VALUE, Map.of("order", id));
    stage.awaitSecret(stage.consumer(), "default", id + "-" + name, VALUE);
  }

  private static void assertStays(RelatedStage stage, String name, String expected) {
    assertThat(stage.consumer().find(TwoClusters.SECRETS, "default", name).isPresent())
        .isEqualTo(expected.equals("stays"));
  }
}
