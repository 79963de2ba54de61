package dev.mooring.syncagent.related;

import static dev.mooring.syncagent.related.RelatedBench.CLUSTER;
import static dev.mooring.syncagent.related.RelatedBench.SECRETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.related.RelatedBench.Member;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.simulation.ServerModel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a server refuses keeps nothing else from its turn. */
class RefusedRelatedObjectsTest {
  private static final ResourceType A = RelatedBench.type("apples");
  private static final int PASSES_MAX = 200;

  private final Set<String> quota = new HashSet<>();

  /** Names of Secrets in kcp that cannot be seen. */
  private final Set<String> taken = new HashSet<>();

  private int refusals;
  private final RelatedBench bench = new RelatedBench(new Refusing());

  @Test
  void keepsNoOtherEntryFromBeingSynced() {
    bench.secretInKcp("first");
    bench.secretInKcp("second");
    quota.add("first");
    Member a = bench.join(A, entry("one", "first"), entry("two", "second"));
    a.order("a1");

    settle(a);

    assertThat(bench.onService("second")).isPresent();
    assertThat(bench.onService("first")).isEmpty();
    assertThatExceptionOfType(KubeFailure.class).isThrownBy(() -> a.pass("a1"));
    quota.clear();
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.onService("first")).isPresent();
  }

  @Test
  void keepsNoOtherObjectOfTheEntryFromBeingSynced() {
    String[] names = IntStream.range(0, 25).mapToObj("s%02d"::formatted).toArray(String[]::new);
    for (String name : names) {
      bench.secretInKcp(name);
    }
    IntStream.range(0, 24).forEach(i -> quota.add(names[i]));
    Member a =
        bench.join(
            A,
            "{'identifier':'all','origin':'kcp','kind':'Secret',"
                + "'object':{'reference':{'path':'spec.names'}}}");
    a.order("a1", names);

    settle(a);
    assertThat(bench.onService("s24")).isPresent();

    // Each is tried again in turn, so that what is accepted by now comes.
    quota.remove("s23");
    settle(a);
    assertThat(bench.onService("s23")).isPresent();
  }

  @Test
  void isTriedAFewTimesInOnePassAtMost() {
    String[] names = IntStream.range(0, 25).mapToObj("s%02d"::formatted).toArray(String[]::new);
    for (String name : names) {
      bench.secretInKcp(name);
      quota.add(name);
    }
    Member a =
        bench.join(
            A,
            "{'identifier':'all','origin':'kcp','kind':'Secret',"
                + "'object':{'reference':{'path':'spec.names'}}}");
    a.order("a1", names);
    settle(a);
    refusals = 0;

    assertThatExceptionOfType(KubeFailure.class).isThrownBy(() -> a.pass("a1"));

    assertThat(refusals).isBetween(1, 10);
  }

  @Test
  void isReportedWhereItIsTooLargeToBeRecorded() {
    bench.secretInKcp("first");
    bench.consumer.patch(SECRETS, "default", "first", Map.of("data", noise(1_500_000)));
    bench.secretInKcp("second");
    Member a = bench.join(A, entry("one", "first"), entry("two", "second"));
    a.order("a1");

    assertThat(a.settle("a1"))
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo("StateTooLarge"));

    assertThat(bench.onService("second")).isPresent();
    assertThat(bench.onService("first")).isEmpty();
  }

  @Test
  void isReportedWhereAHiddenObjectHasItsName() {
    bench.claims("secrets:shared", "namespaces:Accepted");
    bench.secretOnService("login");
    bench.secretOnService("other");
    taken.add("login");
    Member a = bench.join(A, toConsumer("one", "login"), toConsumer("two", "other"));
    a.order("a1");

    settle(a);

    assertThat(bench.inKcp("other")).isPresent();
    assertThatExceptionOfType(KubeFailure.class)
        .isThrownBy(() -> a.pass("a1"))
        .withMessageContaining("secrets \"default/login\" is there, but the selector of")
        .matches(failure -> failure.kind() == Kind.FORBIDDEN)
        .matches(failure -> failure.askedAt().isPresent());
    taken.clear();
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(bench.inKcp("login")).isPresent();
  }

  /** Short texts that do not get smaller when they are compressed. */
  private static Map<String, String> noise(int length) {
    var random = new java.util.Random(1);
    return IntStream.range(0, length / 200)
        .boxed()
        .collect(
            Collectors.toMap(
                "k%d"::formatted,
                _ ->
                    random
                        .ints(200, 33, 127)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining())));
  }

  private static String entry(String identifier, String secret) {
    return "{'identifier':'%s','origin':'kcp','kind':'Secret','object':{'template':{'template':'%s'}}}"
        .formatted(identifier, secret);
  }

  private static String toConsumer(String identifier, String secret) {
    return entry(identifier, secret).replace("'kcp'", "'service'");
  }

  /** As often as a queue would try again. */
  private static void settle(Member member) {
    for (int pass = 0; pass < PASSES_MAX; pass++) {
      try {
        Progress progress = member.pass("a1");
        if (!(progress instanceof Progress.Wrote) && !(progress instanceof Progress.Stale)) {
          return;
        }
      } catch (KubeFailure e) {
        assertThat(e.kind()).isEqualTo(Kind.FORBIDDEN);
      }
    }
  }

  private final class Refusing implements ServerModel.Faults {
    @Override
    public void before(String verb) {}

    @Override
    public void after(String verb) {}

    @Override
    public void creating(ResourceType type, ObjectKey key) {
      if (type.equals(SECRETS)
          && key.cluster().equals(LogicalCluster.NONE)
          && key.namespace().equals(CLUSTER.name())
          && quota.contains(key.name())) {
        refusals++;
        throw new KubeFailure(Kind.FORBIDDEN, 403, "Forbidden", "exceeded quota", null, null);
      }
      if (type.equals(SECRETS) && key.cluster().equals(CLUSTER) && taken.contains(key.name())) {
        throw new KubeFailure(Kind.ALREADY_EXISTS, 409, "AlreadyExists", "taken", null, null);
      }
    }
  }
}
