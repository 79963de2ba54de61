package dev.mooring.depwebhook.index;

import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.enforced;
import static dev.mooring.depwebhook.Fixtures.query;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.RecordedReads;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Indexes of ConfigMaps and Secrets on the sandbox, and a clock that tests put forward: what the
 * watches say comes at real times.
 */
class ReferenceIndexesIT extends OnIndexes {
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final InstantSource clock = this::now;
  private final AtomicReference<LookupMethod> path = new AtomicReference<>();
  private final RecordedReads reads = new RecordedReads();
  private final Set<String> gone = new HashSet<>();
  private boolean served = true;
  private RuleEligibility eligibility = RuleEligibility.EVERY;
  private LogicalCluster consumer;

  @BeforeEach
  void enters() {
    WorkspacePath workspace = workspaces.create("indexes");
    consumer = workspaces.cluster(workspace);
    KubeClient client = workspaces.client(workspace);
    client.create(CONFIG_MAPS, referring(CONFIG_MAPS, "first", "net1"));
    client.create(CONFIG_MAPS, referring(CONFIG_MAPS, "second", "net2"));
  }

  @Test
  void areNotUsedAfterSeventyFiveSecondsWithoutProof() {
    keep(IndexLimits.DEFAULT);
    awaitIndexed(CONFIG_MAPS);
    ahead.set(IndexLimits.DEFAULT.maxStaleness().minusSeconds(30));
    indexes.revalidate();
    awaitIndexed(CONFIG_MAPS);

    ahead.set(IndexLimits.DEFAULT.maxStaleness().plusSeconds(1));
    assertThat(blockers(CONFIG_MAPS)).isEqualTo("ConfigMap/first");
    assertThat(path).hasValue(LookupMethod.LIST);
  }

  /** Nobody has touched a Secret since it was listed, so kcp sends no bookmarks either. */
  @Test
  void areProvedByWatchesThatEndWhereNothingChanges() {
    indexes =
        ReferenceIndexes.start(
            workspaces::client,
            new IndexLimits(Duration.ofSeconds(5), Duration.ofMinutes(10), 10, 100, 100),
            clock,
            SystemTime.scheduler());
    awaitIndexed(SECRETS);
    Instant indexed = now();

    await().until(() -> now().minus(indexes.status().oldest()).isAfter(indexed));

    assertThat(blockers(SECRETS)).isEmpty();
  }

  @Test
  void areClosedAfterLongIdlenessAndOpenedAgainOnDemand() {
    keep(IndexLimits.DEFAULT);
    awaitIndexed(CONFIG_MAPS);

    ahead.set(IndexLimits.DEFAULT.idleMax().minusSeconds(30));
    indexes.sweep();
    assertThat(indexes.status().indexes()).isOne();
    ahead.set(IndexLimits.DEFAULT.idleMax().plusSeconds(30));
    indexes.sweep();
    assertThat(indexes.status()).isEqualTo(ReferenceIndexes.Status.NONE);

    ahead.set(Duration.ZERO);
    awaitIndexed(CONFIG_MAPS);
  }

  @Test
  void areNotKeptOfTypesWithTooManyObjects() {
    keep(new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 10, 1, 100));

    assertAreGivenUp();
  }

  @Test
  void holdNoMoreTogetherThanThereIsRoomFor() {
    keep(new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 10, 100, 1));

    assertAreGivenUp();
  }

  @Test
  void areGivenUpOnceTheyGrowBeyondWhatThereIsRoomFor() {
    int there = workspaces.client(consumer).list(CONFIG_MAPS, ListQuery.ALL).items().size();
    keep(new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 10, 100, there + 1));
    awaitIndexed(CONFIG_MAPS);

    KubeClient client = workspaces.client(consumer);
    client.create(
        CONFIG_MAPS,
        referring(CONFIG_MAPS, "bulky", "net1-" + "x".repeat(IndexMemoryBudget.UNIT_CHARS)));

    await().until(() -> indexes.status().indexes() == 0);
    assertThat(blockers(CONFIG_MAPS)).isEqualTo("ConfigMap/first");
    assertThat(path).hasValue(LookupMethod.LIST);
  }

  /** Why an index is closed. */
  private enum Cause {
    IDLE,
    ANOTHER_TAKES_ITS_PLACE,
    OUT_OF_MEMORY
  }

  @ParameterizedTest
  @EnumSource
  void keepNoReviewWaitingWhileOneIsClosed(Cause cause) {
    KubeClient client = workspaces.client(consumer);
    int there = client.list(CONFIG_MAPS, ListQuery.ALL).items().size();
    var answers = new LinkedBlockingQueue<String>();
    var limits = new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 1, 100, there + 1);
    indexes =
        ReferenceIndexes.start(
            cluster -> reviewingWhileClosing(workspaces.client(cluster), answers),
            limits,
            clock,
            new ManualTime());
    awaitIndexed(CONFIG_MAPS);

    switch (cause) {
      case IDLE -> {
        ahead.set(limits.idleMax().plusSeconds(30));
        indexes.sweep();
      }
      case ANOTHER_TAKES_ITS_PLACE -> {
        ahead.set(limits.maxStaleness().plusSeconds(1));
        blockers(SECRETS);
      }
      case OUT_OF_MEMORY -> {
        client.create(
            CONFIG_MAPS,
            referring(CONFIG_MAPS, "bulky", "net1-" + "x".repeat(IndexMemoryBudget.UNIT_CHARS)));
        await().until(() -> indexes.status().indexes() == 0);
      }
    }

    await().until(() -> !answers.isEmpty());
    assertThat(answers).containsOnly("ConfigMap/first");
  }

  /** Closing a watch lasts until another review has its answer, or has none in ten seconds. */
  private KubeClient reviewingWhileClosing(KubeClient client, Queue<String> answers) {
    return (KubeClient)
        Proxy.newProxyInstance(
            KubeClient.class.getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, method, arguments) -> {
              try {
                Object result = method.invoke(client, arguments);
                return result instanceof WatchHandle handle
                    ? (WatchHandle)
                        () -> {
                          answer(() -> blockers(CONFIG_MAPS)).ifPresent(answers::add);
                          handle.close();
                        }
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Empty where the thread was interrupted, as that of a closed watch is. */
  private static Optional<String> answer(Callable<String> review) {
    var answer = new FutureTask<>(review);
    Thread.ofVirtual().start(answer);
    try {
      return Optional.of(answer.get(10, TimeUnit.SECONDS));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException e) {
      return Optional.of(e.toString());
    }
  }

  /** What is listed gives the same answers, and nothing is held. */
  private void assertAreGivenUp() {
    assertThat(blockers(CONFIG_MAPS)).isEqualTo("ConfigMap/first");
    await().until(() -> indexes.status().indexes() == 0);

    assertThat(blockers(CONFIG_MAPS)).isEqualTo("ConfigMap/first");
    assertThat(path).hasValue(LookupMethod.LIST);
    assertThat(indexes.status()).isEqualTo(ReferenceIndexes.Status.NONE);
  }

  @Test
  void makeRoomForAnotherOnlyOnceTheyAreQuiet() {
    keep(new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 1, 100, 100));
    awaitIndexed(CONFIG_MAPS);

    for (ResourceType type : List.of(SECRETS, CONFIG_MAPS, SECRETS)) {
      blockers(type);
      assertThat(path).hasValue(type.equals(SECRETS) ? LookupMethod.LIST : LookupMethod.INDEX);
    }

    ahead.set(Duration.ofSeconds(76));
    assertThat(blockers(SECRETS)).isEmpty();
    ahead.set(Duration.ZERO);
    awaitIndexed(SECRETS);
    assertThat(indexes.status()).extracting(ReferenceIndexes.Status::indexes).isEqualTo(1);
  }

  @Test
  void areNotBelievedWhereTheBlockersThatTheyKnowAreGone() {
    keep(IndexLimits.DEFAULT);
    awaitIndexed(CONFIG_MAPS);
    gone.add("first");

    assertThat(blockers(CONFIG_MAPS)).isEmpty();
    assertThat(path).hasValue(LookupMethod.INDEX);
  }

  /** The consumer deleted its binding of their export a moment ago. */
  @Test
  void areNotBelievedAboutWhatIsServedNoMore() {
    keep(IndexLimits.DEFAULT);
    awaitIndexed(CONFIG_MAPS);
    served = false;

    assertThat(blockers(CONFIG_MAPS)).isEmpty();
    assertThat(path).hasValue(LookupMethod.LIST);
  }

  @Test
  void areNotBelievedAboutADenialWhereOnlyAWarningWasConfirmed() {
    KubeClient client = workspaces.client(consumer);
    client.create(
        CONFIG_MAPS, referring(CONFIG_MAPS, "third", "net1").with("net1", "data", "peer"));
    List<DependencyRule> rules =
        List.of(
            rule("a-warns", CONFIG_MAPS, ".data.vpc", Mode.WARN),
            rule("b-denies", CONFIG_MAPS, ".data.peer", Mode.DENY));
    keep(IndexLimits.DEFAULT);
    await()
        .until(() -> blockers(rules).equals("ConfigMap/third") && path.get() == LookupMethod.INDEX);
    gone.add("third");

    assertThat(blockers(rules)).isEmpty();
    assertThat(path).hasValue(LookupMethod.INDEX);
  }

  @Test
  void areReadOncePerRuleThatDoesNotCount() {
    KubeClient client = workspaces.client(consumer);
    for (int i = 0; i < 5; i++) {
      client.create(CONFIG_MAPS, referring(CONFIG_MAPS, "more" + i, "net1"));
    }
    keep(IndexLimits.DEFAULT);
    awaitIndexed(CONFIG_MAPS);
    await().until(() -> indexes.status().objects() >= 7);
    eligibility = _ -> false;
    reads.requests.clear();

    assertThat(blockers(CONFIG_MAPS)).isEmpty();

    assertThat(reads.requests).containsExactly("get configmaps/first");
  }

  @Test
  void countNoMoreBlockersThanAThousand() {
    KubeClient client = workspaces.client(consumer);
    IntStream.range(0, 1_010)
        .parallel()
        .forEach(i -> client.create(CONFIG_MAPS, referring(CONFIG_MAPS, "fan" + i, "net1")));
    keep(new IndexLimits(Duration.ofSeconds(75), Duration.ofMinutes(10), 10, 2_000, 2_000));
    awaitIndexed(CONFIG_MAPS);

    assertThat(blockers(CONFIG_MAPS)).endsWith("ConfigMap/fan1005 and more");
  }

  private Instant now() {
    return SystemTime.clock().instant().plus(ahead.get());
  }

  private void keep(IndexLimits terms) {
    indexes = ReferenceIndexes.start(workspaces::client, terms, clock, new ManualTime());
  }

  private void awaitIndexed(ResourceType type) {
    await()
        .until(() -> {
          blockers(type);
          return path.get() == LookupMethod.INDEX;
        });
  }

  /** What keeps net1, as a message names it. */
  private String blockers(ResourceType dependent) {
    return blockers(List.of(rule("rule", dependent, ".data.vpc", Mode.DENY)));
  }

  private String blockers(List<DependencyRule> rules) {
    var lookup =
        new DependentLookup(
            cluster -> reads.of(withoutGone(workspaces.client(cluster))),
            indexes,
            Disclosures.unasked(),
            clock,
            (way, took) -> path.set(way));
    var target = new Target(GroupResource.of(VPCS), new ObjectKey(consumer, "default", "net1"));
    LookupResult found =
        lookup.findReferrers(
            query(target, RuleIndex.of(rules).about(GroupResource.of(VPCS)), eligibility));
    assertThat(found).isInstanceOf(LookupResult.Complete.class);
    return Optional.of((LookupResult.Complete) found)
        .map(complete -> complete.of(Mode.DENY).blockers())
        .filter(blockers -> !blockers.isEmpty())
        .map(blockers -> blockers.denial(target).replaceFirst(".*referenced by ", ""))
        .orElse("");
  }

  /** A workspace that is ahead of what its watches have told. */
  private KubeReader withoutGone(KubeReader workspace) {
    return new KubeReader() {
      @Override
      public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
        requireServed(type.equals(CONFIG_MAPS));
        return workspace.find(type, namespace, name).filter(_ -> !gone.contains(name));
      }

      @Override
      public KubeList list(ResourceType type, ListQuery query) {
        requireServed(type.equals(CONFIG_MAPS));
        return workspace.list(type, query);
      }

      @Override
      public KubeObject document(String path) {
        requireServed(true);
        return workspace.document(path);
      }

      private void requireServed(boolean asked) {
        if (asked && !served) {
          throw new KubeFailure(
              KubeFailure.Kind.NOT_SERVED, 404, "NotFound", "404 page not found", null, null);
        }
      }
    };
  }

  private static DependencyRule rule(String name, ResourceType dependent, String field, Mode mode) {
    DependencyRule rule = Fixtures.rule(name, dependent, "root:network", VPCS, field);
    return new DependencyRule(
        rule.key(),
        rule.generation(),
        new DependencyRule.Dependent(
            "compute.example.com", dependent, dependent.equals(SECRETS) ? "Secret" : "ConfigMap"),
        rule.dependencies(),
        Optional.empty(),
        enforced(mode, Consistency.INDEXED),
        List.of());
  }

  private static KubeObject referring(ResourceType type, String name, String vpc) {
    return KubeObject.of(
        Map.of(
            "apiVersion", type.apiVersion(),
            "kind", "ConfigMap",
            "metadata", Map.of("name", name, "namespace", "default"),
            "data", Map.of("vpc", vpc)));
  }
}
