package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.testing.TestWorkspaces;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** Two replicas of the service, as they run, on the sandbox. */
@Tag("full")
class LeaderElectionIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final String NAMESPACE = "dependency-system";
  private static final String LEASE = "dependency-controller";
  private static final ResourceType ROLE_BINDINGS =
      new ResourceType("rbac.authorization.k8s.io", "v1", "rolebindings");

  private static TestWorkspaces workspaces;
  private static ControllerEnvironments environments;

  @TempDir Path files;

  private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();
  private ControllerEnvironment env;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    environments = ControllerEnvironments.ahead(workspaces, 5);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @BeforeEach
  void prepares() {
    env = environments.next();
  }

  @AfterEach
  void closes() {
    replicas.forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void oneActsAndTheOtherTakesOverOnceTheLeaseIsReleased() {
    env.writeRule("vpcs");
    ConfigurableApplicationContext first = replica();
    await().until(() -> env.guardsOnly("vpcs"));
    ConfigurableApplicationContext second = replica();
    awaitFollowing(second);

    env.editRule("subnets");

    await().until(() -> env.guardsOnly("subnets"));
    awaitReported();
    assertThat(overview(second).leader()).isFalse();
    assertThat(writes(second)).isZero();

    String leader = holder();
    String before = env.configuration().orElseThrow().resourceVersion();
    String status = env.found().resourceVersion();
    first.close();
    await().until(() -> overview(second).leader());
    await().until(() -> !overview(second).installations().isEmpty() && idle(second));

    assertThat(holder()).isNotEqualTo(leader).isNotEmpty();
    assertThat(env.configuration().orElseThrow().resourceVersion()).isEqualTo(before);
    assertThat(env.found().resourceVersion()).isEqualTo(status);

    env.editRule("vpcs");
    await().until(() -> env.guardsOnly("vpcs"));
  }

  @Test
  void takesOverFromOneThatCrashedNoSoonerThanItsLeaseExpires() {
    workspaces.create(
        env.dependencies(),
        LEASES,
        KubeObject.of(
            Map.of(
                "apiVersion", LEASES.apiVersion(),
                "kind", "Lease",
                "metadata", Map.of("name", LEASE, "namespace", NAMESPACE),
                "spec", Map.of("holderIdentity", "crashed", "leaseDurationSeconds", 5))));
    env.writeRule("vpcs");

    ConfigurableApplicationContext replica = replica();
    await().until(() -> env.guardsOnly("vpcs"));

    assertThat(holder()).startsWith("dependency-controller-");
    assertThat(overview(replica).leader()).isTrue();
  }

  @Test
  void isNotReadyWhileItsUserMayNotHoldTheLeaseAndNamesTheRight() {
    KubeObject granted =
        workspaces
            .client(env.dependencies())
            .find(ROLE_BINDINGS, NAMESPACE, "dependency-controller")
            .orElseThrow();
    workspaces
        .client(env.dependencies())
        .delete(
            ROLE_BINDINGS,
            NAMESPACE,
            granted.name(),
            new DeleteCondition.SameObject(granted.uid()));

    ConfigurableApplicationContext replica = replica(asController(), NAMESPACE);

    awaitKnowingAllRules(replica);
    assertThat(readiness(replica).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(leads(replica)).isZero();
    await()
        .untilAsserted(() ->
            assertThat(waitingFor(replica))
                .contains(
                    "who holds Lease dependency-controller in namespace dependency-system of ",
                    workspaces.client(env.dependencies()).url().toString(),
                    "get, create and update leases.coordination.k8s.io",
                    "rbac-dependency-workspace.yaml"));

    workspaces.create(
        env.dependencies(), ROLE_BINDINGS, granted.without("metadata", "resourceVersion"));

    awaitReady(replica);
    assertThat(leads(replica)).isOne();
  }

  @Test
  void isNotReadyWhereTheNamespaceOfTheLeaseIsMissingAndSaysSo() {
    ConfigurableApplicationContext replica = replica(kubeconfig(), "nowhere");

    awaitKnowingAllRules(replica);
    assertThat(readiness(replica).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    await()
        .untilAsserted(() -> assertThat(waitingFor(replica)).contains("create Namespace nowhere"));
  }

  @Test
  void isReadyWhileAnotherOneLeads() {
    ConfigurableApplicationContext first = replica();
    awaitReady(first);
    ConfigurableApplicationContext second = replica();
    awaitReady(second);

    assertThat(leads(first) + leads(second)).isOne();
  }

  private ConfigurableApplicationContext replica() {
    return replica(kubeconfig(), NAMESPACE);
  }

  private ConfigurableApplicationContext replica(Path kubeconfig, String namespace) {
    ConfigurableApplicationContext replica =
        new SpringApplicationBuilder(DependencyControllerApplication.class)
            .profiles("local")
            .run(
                "--server.port=0",
                "--mooring.dependency-controller.kubeconfig=" + kubeconfig,
                "--mooring.dependency-controller.webhook-url=https://hook.example:9443/validate",
                "--mooring.dependency-controller.lease-namespace=" + namespace,
                "--mooring.dependency-controller.leader-election=true");
    replicas.add(replica);
    return replica;
  }

  private Path kubeconfig() {
    return workspaces.kubeconfigFor(
        env.dependencies(), files.resolve("kubeconfig-" + replicas.size()));
  }

  /** With no rights but those of the shipped manifests. */
  private Path asController() {
    return workspaces.kubeconfigFor(
        env.dependencies(), files.resolve("kubeconfig"), ControllerEnvironment.USER);
  }

  private static void awaitKnowingAllRules(ConfigurableApplicationContext replica) {
    await().until(() -> overview(replica).waitingFor().isEmpty());
  }

  private static void awaitReady(ConfigurableApplicationContext replica) {
    await().until(() -> readiness(replica).getStatus().equals(Status.UP));
  }

  private static HealthDescriptor readiness(ConfigurableApplicationContext replica) {
    return replica.getBean(HealthEndpoint.class).healthForPath("readiness");
  }

  private static String waitingFor(ConfigurableApplicationContext replica) {
    var lease =
        (IndicatedHealthDescriptor)
            replica.getBean(HealthEndpoint.class).healthForPath("readiness", "lease");
    return String.valueOf(lease.getDetails().get("waitingFor"));
  }

  private static double leads(ConfigurableApplicationContext replica) {
    return replica
        .getBean(MeterRegistry.class)
        .get("mooring.dependency.controller.leader")
        .gauge()
        .value();
  }

  /** It knows everything, and leaves it to the other. */
  private static void awaitFollowing(ConfigurableApplicationContext replica) {
    await()
        .until(() ->
            overview(replica).state() instanceof ExportState.Ready
                && overview(replica).rules().size() == 1
                && idle(replica));
  }

  private void awaitReported() {
    await()
        .until(() ->
            env.condition("Ready").isPresent()
                && Long.valueOf(env.found().generation())
                    .equals(env.found().at("status", "observedGeneration")));
  }

  private static DependencyController.Overview overview(ConfigurableApplicationContext replica) {
    return replica.getBean(DependencyController.class).overview();
  }

  private static boolean idle(ConfigurableApplicationContext replica) {
    var queue = overview(replica).queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  /** Access reviews, which every replica makes, store nothing. */
  private static long writes(ConfigurableApplicationContext replica) {
    RequestCounters requests = replica.getBean(KubeConnection.class).requests();
    return EnumSet.complementOf(EnumSet.of(Method.GET, Method.REVIEW)).stream()
        .flatMapToLong(method ->
            EnumSet.allOf(Outcome.class).stream()
                .mapToLong(outcome -> requests.count(method, outcome)))
        .sum();
  }

  private String holder() {
    return workspaces
        .client(env.dependencies())
        .find(LEASES, NAMESPACE, LEASE)
        .orElseThrow()
        .text("spec", "holderIdentity");
  }
}
