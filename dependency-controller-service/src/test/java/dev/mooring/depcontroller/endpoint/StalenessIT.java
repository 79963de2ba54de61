package dev.mooring.depcontroller.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.control.ControllerEnvironment;
import dev.mooring.depcontroller.control.ControllerTimings;
import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** A controller that kcp says nothing to any more, as operators see it. */
@Tag("full")
class StalenessIT {
  private static final String USER = "controller";

  /** Short, so that the test is. */
  private static final Duration MAX_STALENESS = Duration.ofSeconds(15);

  @TempDir private Path directory;
  private TestWorkspaces workspaces;
  private FaultInjector faults;
  private ControllerEnvironment env;
  private KubeConnection kcp;
  private DependencyController controller;
  private HealthIndicator health;
  private Gauge staleness;

  @BeforeEach
  void starts() {
    workspaces = TestWorkspaces.onSandbox(directory);
    faults = workspaces.sandbox().faults();
    faults.affect(USER::equals).slowest(Duration.ofHours(1));
    env = ControllerEnvironment.prepare(workspaces);
    kcp =
        KubeConnection.fromKubeconfig(
            workspaces.kubeconfigFor(
                env.dependencies(), directory.resolve("kubeconfig"), USER, "system:masters"),
            ConnectionOptions.of("dependency-controller")
                .withRequestTimeout(Duration.ofSeconds(5)));
    serve();
  }

  @AfterEach
  void stops() {
    faults.reset();
    controller.close();
    kcp.close();
    workspaces.close();
  }

  /** Watches that are open hang at the next event, and what is asked from then on, too. */
  @ParameterizedTest
  @EnumSource(names = {"SLOW", "UNAVAILABLE"})
  void isNotReadyWhileItMayHaveMissedSomethingAndUsesItsCachedRules(Fault fault) {
    env.writeRule("vpcs");
    await().until(() -> env.guardsOnly("vpcs"));
    await().until(this::isReady);
    assertThat(health.health().getDetails()).containsEntry("rules", 1);

    faults.inject(fault, 1).inject(Fault.DROPPED_WATCH, fault == Fault.SLOW ? 0 : 1);
    env.editRule("subnets");

    await().until(() -> !isReady());
    assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(health.health().getDetails())
        .containsEntry("rules", 1)
        .hasEntrySatisfying(
            "waitingFor",
            reason ->
                assertThat(reason)
                    .asString()
                    .startsWith("no event or bookmark of ")
                    .contains("so the controller does not react to changes there"));
    assertThat(staleness.value()).isGreaterThan(MAX_STALENESS.toSeconds());
    assertThat(env.guardsOnly("vpcs")).isTrue();

    faults.reset();

    await().until(this::isReady);
    await().until(() -> env.guardsOnly("subnets"));
    await().until(() -> staleness.value() < MAX_STALENESS.toSeconds());
  }

  @Test
  void countsFromItsStartUntilTheFirstWatchEvent() {
    controller.close();
    faults.inject(Fault.UNAVAILABLE, 1);
    serve();

    await().until(() -> staleness.value() > 1);
    assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    assertThat(health.health().getDetails().get("waitingFor"))
        .asString()
        .contains("cannot be listed yet");
  }

  private boolean isReady() {
    return health.health().getStatus().equals(Status.UP);
  }

  private void serve() {
    controller =
        ControllerEnvironment.controller(
            SystemTime.clocks(),
            kcp,
            () -> ControllerEnvironment.SETTINGS,
            new ControllerTimings(Duration.ofMinutes(10), "", WebhookDelay.DEFAULT, MAX_STALENESS),
            () -> true);
    health = new Readiness().rules(controller);
    var meters = new SimpleMeterRegistry();
    new ControllerMetrics(controller, Leadership.unopposed(), kcp).bindTo(meters);
    staleness = meters.get("mooring.dependency.controller.last.event.age.seconds").gauge();
  }
}
