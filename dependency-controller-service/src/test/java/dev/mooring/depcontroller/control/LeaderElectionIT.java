package dev.mooring.depcontroller.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.RequestTally;
import dev.mooring.runtime.client.RequestTally.Method;
import dev.mooring.runtime.client.RequestTally.Outcome;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Two replicas of the service, as they run, on the sandbox. */
class LeaderElectionIT {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final String NAMESPACE = "dependency-system";
  private static final String LEASE = "dependency-controller";

  private static KcpSandbox sandbox;
  private static TestWorkspaces workspaces;

  @TempDir Path files;

  private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();
  private Ground ground;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    sandbox = KcpSandbox.start(ServerOptions.in(directory).withPort(0));
    workspaces = TestWorkspaces.on(sandbox.kubeconfigFile());
  }

  @AfterAll
  static void stops() {
    workspaces.close();
    sandbox.close();
  }

  @BeforeEach
  void prepares() {
    ground = Ground.prepare(workspaces);
  }

  @AfterEach
  void closes() {
    replicas.forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void oneActsAndTheOtherTakesOverOnceItIsLetGo() {
    ground.writeRule("vpcs");
    ConfigurableApplicationContext first = replica();
    await().atMost(TestWorkspaces.PATIENCE).until(() -> ground.guardsOnly("vpcs"));
    ConfigurableApplicationContext second = replica();
    awaitFollowing(second);

    ground.editRule("subnets");

    await().atMost(TestWorkspaces.PATIENCE).until(() -> ground.guardsOnly("subnets"));
    awaitReported();
    assertThat(overview(second).leads()).isFalse();
    assertThat(writes(second)).isZero();

    String leader = holder();
    String before = ground.configuration().orElseThrow().resourceVersion();
    String status = ground.found().resourceVersion();
    first.close();
    await().atMost(TestWorkspaces.PATIENCE).until(() -> overview(second).leads());
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> !overview(second).installations().isEmpty() && idle(second));

    assertThat(holder()).isNotEqualTo(leader).isNotEmpty();
    assertThat(ground.configuration().orElseThrow().resourceVersion()).isEqualTo(before);
    assertThat(ground.found().resourceVersion()).isEqualTo(status);

    ground.editRule("vpcs");
    await().atMost(TestWorkspaces.PATIENCE).until(() -> ground.guardsOnly("vpcs"));
  }

  @Test
  void takesOverFromOneThatCrashedNoSoonerThanItsLeaseExpires() {
    workspaces.create(
        ground.dependencies(),
        LEASES,
        KubeObject.of(
            Map.of(
                "apiVersion", LEASES.apiVersion(),
                "kind", "Lease",
                "metadata", Map.of("name", LEASE, "namespace", NAMESPACE),
                "spec", Map.of("holderIdentity", "crashed", "leaseDurationSeconds", 5))));
    ground.writeRule("vpcs");

    ConfigurableApplicationContext replica = replica();
    await().atMost(TestWorkspaces.PATIENCE).until(() -> ground.guardsOnly("vpcs"));

    assertThat(holder()).startsWith("dependency-controller-");
    assertThat(overview(replica).leads()).isTrue();
  }

  private ConfigurableApplicationContext replica() {
    Path kubeconfig =
        workspaces.kubeconfigFor(
            ground.dependencies(), files.resolve("kubeconfig-" + replicas.size()));
    ConfigurableApplicationContext replica =
        new SpringApplicationBuilder(DependencyControllerApplication.class)
            .profiles("local")
            .run(
                "--server.port=0",
                "--mooring.dependency-controller.kubeconfig=" + kubeconfig,
                "--mooring.dependency-controller.webhook-url=https://hook.example:9443/validate",
                "--mooring.dependency-controller.leader-election=true");
    replicas.add(replica);
    return replica;
  }

  /** It knows everything, and leaves it to the other. */
  private static void awaitFollowing(ConfigurableApplicationContext replica) {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() ->
            overview(replica).state() instanceof ExportState.Ready
                && overview(replica).rules().size() == 1
                && idle(replica));
  }

  private void awaitReported() {
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() ->
            ground.condition("Ready").isPresent()
                && Long.valueOf(ground.found().generation())
                    .equals(ground.found().at("status", "observedGeneration")));
  }

  private static DependencyController.Overview overview(ConfigurableApplicationContext replica) {
    return replica.getBean(DependencyController.class).overview();
  }

  private static boolean idle(ConfigurableApplicationContext replica) {
    var queue = overview(replica).queue();
    return queue.waiting() == 0 && queue.running() == 0 && queue.failing() == 0;
  }

  /** Requests that were to change something, whatever came of them. */
  private static long writes(ConfigurableApplicationContext replica) {
    RequestTally requests = replica.getBean(KubeConnection.class).requests();
    return EnumSet.complementOf(EnumSet.of(Method.GET)).stream()
        .flatMapToLong(method ->
            EnumSet.allOf(Outcome.class).stream()
                .mapToLong(outcome -> requests.count(method, outcome)))
        .sum();
  }

  private String holder() {
    return workspaces
        .client(ground.dependencies())
        .find(LEASES, NAMESPACE, LEASE)
        .orElseThrow()
        .text("spec", "holderIdentity");
  }
}
