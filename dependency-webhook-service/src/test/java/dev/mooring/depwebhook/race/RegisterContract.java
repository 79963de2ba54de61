package dev.mooring.depwebhook.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depwebhook.race.RegisterStore.RegisterFailure;
import dev.mooring.depwebhook.race.decide.DeletionClaim;
import dev.mooring.depwebhook.race.decide.DependentId;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.race.decide.ReferenceClaim;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.race.decide.RegisterLease;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Ids;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The register as several replicas use it, on whatever kcp a subclass starts or finds. */
abstract class RegisterContract {
  private static final String NAMESPACE = "dependency-races";
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final GroupResource VPCS = new GroupResource("network.example.com", "vpcs");
  private static final ResourceType MACHINES =
      new ResourceType("compute.example.com", "v1", "virtualmachines");

  private static TestWorkspaces workspaces;
  private static KubeConnection connection;

  /** As the administrator sees it. */
  private static KubeClient workspace;

  private final Ids ids = Ids.random();
  private final RegisterKey key = key(ids.next());
  private volatile Instant now = NOON;
  private final RegisterStore register = replica();
  private final RegisterStore another = replica();

  static void enter(TestWorkspaces given) {
    workspaces = given;
    WorkspacePath path = workspaces.create("race-register");
    workspaces.create(path, Path.of("../charts/mooring/kcp/rbac-dependency-workspace.yaml"));
    workspace = workspaces.client(path);
    connection = workspaces.connect(path, "mooring:dependency-webhook");
  }

  @AfterAll
  static void leave() {
    if (workspaces != null) {
      connection.close();
      workspaces.close();
      workspaces = null;
    }
  }

  @Test
  void anotherReplicaReadsWhatWasRecorded() {
    ReferenceClaim claim = claim("vm1");
    var deletion = new DeletionClaim(ids.next(), "uid-1", now);

    register.claimReference(key, claim);
    register.claimDeletion(key, deletion);

    assertThat(another.page(key).referenceClaims()).containsExactly(claim);
    assertThat(another.page(key).deletionClaims()).containsExactly(deletion);
  }

  @Test
  void anUnrecordedNameHasNoRecords() {
    assertThat(register.page(key).referenceClaims()).isEmpty();
    assertThat(register.page(key).deletionClaims()).isEmpty();
  }

  @Test
  void takesBackItsOwnAndNothingElse() {
    ReferenceClaim mine = claim("vm1");
    ReferenceClaim other = claim("vm1");
    register.claimReference(key, mine);
    another.claimReference(key, other);

    register.withdraw(key, mine.id());

    assertThat(register.page(key).referenceClaims()).containsExactly(other);
  }

  @Test
  void losesNothingWhenManyWriteAtOnce() throws Exception {
    var claimed = new ArrayList<Callable<String>>();
    for (int i = 0; i < 40; i++) {
      RegisterStore replica = i % 2 == 0 ? register : another;
      ReferenceClaim claim = claim("vm" + i);
      claimed.add(() -> {
        replica.claimReference(key, claim);
        return claim.id();
      });
    }

    List<String> recorded = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (Future<String> each : threads.invokeAll(claimed)) {
        recorded.add(each.get());
      }
    }

    assertThat(register.page(key).referenceClaims().stream().map(ReferenceClaim::id))
        .containsExactlyInAnyOrderElementsOf(recorded);
  }

  @Test
  void keepsTheIntentsOfAllReplicas() throws Exception {
    var claimed = new ArrayList<Callable<DeletionClaim>>();
    for (int i = 0; i < 12; i++) {
      RegisterStore replica = i % 2 == 0 ? register : another;
      var claim = new DeletionClaim(ids.next(), "uid-" + i, now);
      claimed.add(() -> {
        replica.claimDeletion(key, claim);
        return claim;
      });
    }

    List<DeletionClaim> recorded = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (Future<DeletionClaim> each : threads.invokeAll(claimed)) {
        recorded.add(each.get());
      }
    }

    assertThat(register.page(key).deletionClaims()).containsExactlyInAnyOrderElementsOf(recorded);
  }

  @Test
  void whoRecordsSomethingLearnsWhatTheOtherSideHadRecorded() {
    ReferenceClaim claim = claim("vm1");
    var deletion = new DeletionClaim(ids.next(), "uid-1", now);

    assertThat(register.claimReference(key, claim).deletionClaims()).isEmpty();
    assertThat(another.claimDeletion(key, deletion).referenceClaims()).containsExactly(claim);
    assertThat(register.claimReference(key, claim("vm2")).deletionClaims())
        .containsExactly(deletion);
  }

  @Test
  void theFirstDeletionClaimIsOneRequest() {
    List<String> requests = new ArrayList<>();
    var observed =
        new RegisterStore(reporting(requests::add), NAMESPACE, () -> now, RaceTimings.STANDARD);

    assertThat(
            observed
                .claimDeletion(key, new DeletionClaim(ids.next(), "uid-1", now))
                .referenceClaims())
        .isEmpty();
    assertThat(requests).containsExactly("create");

    requests.clear();
    observed.claimDeletion(key, new DeletionClaim(ids.next(), "uid-1", now));
    assertThat(requests).containsExactly("create", "find", "update");
  }

  @Test
  void dropsExpiredRecordsWhenItWrites() {
    register.claimReference(key, claim("old"));
    now = NOON.plus(RaceTimings.STANDARD.kept()).plusSeconds(1);
    ReferenceClaim young = claim("young");

    register.claimReference(key, young);

    assertThat(register.page(key).referenceClaims()).containsExactly(young);
  }

  @Test
  void sweepsExpiredLeasesAndKeepsTheRest() {
    RegisterKey old = key(ids.next());
    register.claimReference(old, claim("vm1"));
    register.claimDeletion(old, new DeletionClaim(ids.next(), "uid-1", now));
    register.claimDeletion(key, new DeletionClaim(ids.next(), "uid-2", now));
    now = NOON.plus(RaceTimings.STANDARD.kept()).plusSeconds(1);
    register.claimReference(key, claim("vm2"));

    assertThat(register.sweep(1_000)).isPositive();

    assertThat(leasesAbout(old)).isEmpty();
    assertThat(leasesAbout(key)).hasSize(1);
  }

  @Test
  void sweepsNothingThatIsWrittenMeanwhile() {
    register.claimReference(key, claim("old"));
    now = NOON.plus(RaceTimings.STANDARD.kept()).plusSeconds(1);
    var young = new AtomicReference<>(claim("young"));
    KubeClient written =
        reporting(request -> {
          ReferenceClaim first = request.equals("delete") ? young.getAndSet(null) : null;
          if (first != null) {
            another.claimReference(key, first);
          }
        });

    new RegisterStore(written, NAMESPACE, () -> now, RaceTimings.STANDARD).sweep(1_000);

    assertThat(young).hasNullValue();
    assertThat(register.page(key).referenceClaims())
        .extracting(one -> one.dependent().name())
        .containsExactly("young");
  }

  @Test
  void refusesToGuessWhatALeaseSaidThatItCannotRead() {
    register.claimReference(key, claim("vm1"));
    KubeObject lease = leasesAbout(key).findFirst().orElseThrow();
    workspace.patch(
        RegisterLease.TYPE,
        NAMESPACE,
        lease.name(),
        Map.of(
            "metadata",
            Map.of(
                "annotations", Map.of("dependencies.opendefense.cloud/race-references", "[{}]"))));

    assertThatThrownBy(() -> register.page(key))
        .isInstanceOf(RegisterFailure.class)
        .hasMessageContaining("Lease dependency-races/race-")
        .hasMessageContaining("delete it");
  }

  @Test
  void saysWhichNamespaceIsMissing() {
    var elsewhere = new RegisterStore(workspace, "missing", () -> now, RaceTimings.STANDARD);

    assertThatThrownBy(() -> elsewhere.claimReference(key, claim("vm1")))
        .isInstanceOf(RegisterFailure.class)
        .hasMessageContaining("create namespace missing");
  }

  @Test
  void doesNotReviveALeaseThatIsGone() {
    register.claimReference(key, claim("vm1"));
    KubeObject stale = leasesAbout(key).findFirst().orElseThrow();
    workspace.delete(
        RegisterLease.TYPE, NAMESPACE, stale.name(), new DeleteCondition.Unconditional());

    assertThatThrownBy(() -> workspace.update(RegisterLease.TYPE, stale))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure ->
                assertThat(failure.kind())
                    .isIn(KubeFailure.Kind.CONFLICT, KubeFailure.Kind.NOT_FOUND));
    assertThat(register.page(key).referenceClaims()).isEmpty();
  }

  private Stream<KubeObject> leasesAbout(RegisterKey about) {
    return workspace
        .list(
            RegisterLease.TYPE,
            ListQuery.ALL.inNamespace(NAMESPACE).withLabels(RegisterLease.LABEL))
        .items()
        .stream()
        .filter(lease ->
            about
                .toString()
                .equals(lease.annotations().get("dependencies.opendefense.cloud/race-target")));
  }

  /** The workspace, which reports each request before it makes it. */
  private static KubeClient reporting(Consumer<String> requests) {
    return (KubeClient)
        Proxy.newProxyInstance(
            KubeClient.class.getClassLoader(),
            new Class<?>[] {KubeClient.class},
            (_, method, arguments) -> {
              requests.accept(method.getName());
              try {
                return method.invoke(connection.client(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private RegisterStore replica() {
    return new RegisterStore(connection.client(), NAMESPACE, () -> now, RaceTimings.STANDARD);
  }

  private ReferenceClaim claim(String name) {
    return new ReferenceClaim(
        ids.next(),
        new DependentId(MACHINES, "default", name, ids.next()),
        "default",
        new ReferenceClaim.Request.Creation(),
        now.plus(Duration.ofMillis(1)));
  }

  private static RegisterKey key(String name) {
    return new RegisterKey(new LogicalCluster("consumer1"), VPCS, name);
  }
}
