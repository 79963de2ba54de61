package dev.mooring.depwebhook.lookup;

import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.query;
import static dev.mooring.depwebhook.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.time.ManualTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules of many providers about one target. */
class ManyDependentTypesTest {
  private final FakeWorkspace workspace = new FakeWorkspace();
  private final ConcurrentHashMap<ResourceType, Runnable> before = new ConcurrentHashMap<>();
  private final Semaphore looked = new Semaphore(0);
  private final ManualTime time = new ManualTime();
  private final DependentLookup lookup =
      new DependentLookup(
          _ -> attentive(),
          ReferenceIndexes.start(
              _ -> {
                throw new AssertionError("no rule wants an index");
              },
              IndexLimits.DEFAULT,
              time,
              time),
          Disclosures.unasked(),
          time,
          (_, _) -> looked.release());

  /** None is served: a list, and discovery, for each. */
  @Test
  void areLookedAtEightAtATime() {
    var together = new CountDownLatch(ParallelLookups.AT_A_TIME);
    for (int i = 0; i < ParallelLookups.AT_A_TIME; i++) {
      before.put(
          type(i),
          () -> {
            together.countDown();
            awaited(together);
          });
    }

    assertThat(complete(30).found()).isEmpty();
    assertThat(looked.availablePermits()).isEqualTo(30);
  }

  @Test
  void areReportedInTheirOrderWhicheverWasFaster() {
    var others = new CountDownLatch(2);
    before.put(type(0), () -> awaited(others));
    workspace.serves(type(0), Scope.NAMESPACED, machines("slow", 11));
    for (int i : List.of(1, 2)) {
      workspace.serves(type(i), Scope.NAMESPACED, machines("a-fast" + i, 3));
      before.put(type(i), others::countDown);
    }

    LookupResult.Complete found = complete(3);

    assertThat(found.of(Mode.DENY).blockers().search()).isEqualTo(Search.STOPPED_EARLY);
    assertThat(denial(found)).contains("VirtualMachine/slow0000").doesNotContain("a-fast");
    assertThat(found.of(Mode.DENY).rules()).containsExactly("compute1/rule-00");
  }

  @Test
  void refuseByWhatOneShowsThoughOneBeforeCannotBeRead() {
    before.put(type(0), ManyDependentTypesTest::forbid);
    workspace.serves(type(1), Scope.NAMESPACED, machine("default", "vm1", "net1"));

    assertThat(denial(complete(3))).endsWith("still referenced by VirtualMachine/vm1 and more");
  }

  @Test
  void areNotLookedAtAnyMoreOnceOneCannotBeRead() {
    before.put(type(0), ManyDependentTypesTest::forbid);
    before.put(type(1), ManyDependentTypesTest::forbid);

    assertThat(lookup(30))
        .isInstanceOfSatisfying(
            LookupResult.Incomplete.class,
            unknown -> assertThat(unknown.missing()).contains("rule compute1/rule-00: "));

    assertThat(looked.availablePermits()).isEqualTo(ParallelLookups.AT_A_TIME);
  }

  @Test
  void areCancelledWithTheReview() throws InterruptedException {
    var answered = new CountDownLatch(1);
    var asked = new CountDownLatch(ParallelLookups.AT_A_TIME);
    for (int i = 0; i < 10; i++) {
      before.put(
          type(i),
          () -> {
            asked.countDown();
            awaited(answered);
          });
    }
    Thread caller = Thread.currentThread();
    Thread.ofVirtual()
        .start(() -> {
          awaited(asked);
          caller.interrupt();
        });

    assertThatThrownBy(() -> lookup(10))
        .isInstanceOf(KubeFailure.class)
        .hasMessageContaining("rule compute1/rule-00: listing machines.v1.g00.example.com");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(looked.tryAcquire(ParallelLookups.AT_A_TIME, 10, TimeUnit.SECONDS))
        .as("all that had begun have come to an end")
        .isTrue();
    answered.countDown();
  }

  @Test
  void nameTheOneThatFailsByADefect() {
    before.put(
        type(1),
        () -> {
          throw new IllegalStateException("planted");
        });

    assertThatThrownBy(() -> lookup(3))
        .hasMessageContaining("rule compute1/rule-01: listing machines.v1.g01.example.com")
        .hasRootCauseMessage("planted");
  }

  private static void forbid() {
    throw new KubeFailure(KubeFailure.Kind.FORBIDDEN, 403, "", "403 access denied", null, null);
  }

  private static void awaited(CountDownLatch latch) {
    try {
      if (!latch.await(10, TimeUnit.SECONDS)) {
        throw new AssertionError("they are not looked at side by side");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private LookupResult.Complete complete(int types) {
    LookupResult found = lookup(types);
    assertThat(found).isInstanceOf(LookupResult.Complete.class);
    return (LookupResult.Complete) found;
  }

  private static String denial(LookupResult.Complete found) {
    return found.of(Mode.DENY).blockers().denial(VPC);
  }

  private LookupResult lookup(int types) {
    List<DependencyRule> rules =
        IntStream.range(0, types)
            .mapToObj(i ->
                rule("rule-%02d".formatted(i), type(i), "root:network", VPCS, ".spec.vpcRef.name"))
            .toList();
    return lookup.findReferrers(
        query(VPC, RuleIndex.of(rules).about(GroupResource.of(VPCS)), RuleEligibility.EVERY));
  }

  private static ResourceType type(int number) {
    return new ResourceType("g%02d.example.com".formatted(number), "v1", "machines");
  }

  private static KubeObject[] machines(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> machine("default", "%s%04d".formatted(prefix, i), "net1"))
        .toArray(KubeObject[]::new);
  }

  /** The workspace, with something done before each list of a type. */
  private KubeReader attentive() {
    return new KubeReader() {
      @Override
      public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
        return workspace.find(type, namespace, name);
      }

      @Override
      public KubeList list(ResourceType type, ListQuery query) {
        before.getOrDefault(type, () -> {}).run();
        return workspace.list(type, query);
      }

      @Override
      public Optional<ListEnd> scan(
          ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
        before.getOrDefault(type, () -> {}).run();
        return workspace.scan(type, query, keep, each);
      }

      @Override
      public KubeObject document(String path) {
        return workspace.document(path);
      }
    };
  }
}
