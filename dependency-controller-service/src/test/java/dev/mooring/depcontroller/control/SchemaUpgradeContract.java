package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Rules, and a controller, that are there before the schema of this release, as in a take-over. */
abstract class SchemaUpgradeContract {
  private static final Logger STATUS_LOG =
      (Logger) LoggerFactory.getLogger("dev.mooring.depcontroller.status");

  /** Tries again soon, so that the test is short. */
  private static final ControllerTimings TIMINGS =
      new ControllerTimings(
          ControllerEnvironment.TIMINGS.resyncPeriod(),
          ControllerEnvironment.TIMINGS.webhook(),
          ControllerEnvironment.TIMINGS.maxStaleness(),
          Duration.ofSeconds(1));

  private static TestWorkspaces workspaces;

  private final Collection<String> lines = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> heard =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  /** To be called before all tests. */
  static void enter(TestKcp kcp) {
    workspaces = TestWorkspaces.on(kcp);
  }

  @AfterAll
  static void leave() {
    if (workspaces != null) {
      workspaces.close();
      workspaces = null;
    }
  }

  @BeforeEach
  void listen() {
    heard.start();
    STATUS_LOG.addAppender(heard);
  }

  @AfterEach
  void stop() {
    STATUS_LOG.detachAppender(heard);
  }

  @Test
  void saysThatTheSchemaHasNoStatusAndShowsConditionsOnceItHas(@TempDir Path files) {
    ControllerEnvironment ground =
        ControllerEnvironment.prepare(workspaces, ControllerEnvironment.OLDER_KCP);
    ground.writeRule("vpcs");
    try (var kcp = connection(ground, files);
        var _ = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(lines).anyMatch(line -> line.contains("DependencyRule has no status")));
      assertThat(ground.guardsOnly("vpcs")).isTrue();

      upgrade(ground);

      await()
          .untilAsserted(() ->
              assertThat(ground.condition("Ready"))
                  .hasValueSatisfying(
                      condition -> assertThat(Trees.at(condition, "status")).isEqualTo("True")));
    }
  }

  @Test
  void keepsWhatOlderRulesSayOfTheExportOfTheirDependents(@TempDir Path files) {
    ControllerEnvironment ground =
        ControllerEnvironment.prepare(workspaces, ControllerEnvironment.OLDER_KCP);
    ground.writeOlderRule("vpcs");
    Map<String, Object> before = ground.found().map("spec");
    try (var kcp = connection(ground, files);
        var _ = controller(kcp)) {
      await().until(() -> ground.guardsOnly("vpcs"));

      upgrade(ground);

      await()
          .ignoreExceptionsInstanceOf(KubeFailure.class)
          .untilAsserted(() -> writeStatus(ground));
      assertThat(ground.found().map("spec")).isEqualTo(before);
      assertThat(ground.guardsOnly("vpcs")).isTrue();
    }
  }

  private static KubeConnection connection(ControllerEnvironment ground, Path files) {
    ground.grantToController();
    return KubeConnection.fromKubeconfig(
        workspaces.kubeconfigFor(
            ground.dependencies(), files.resolve("kubeconfig"), ControllerEnvironment.USER),
        ConnectionOptions.of("dependency-controller"));
  }

  /** Fails on a schema without a status. */
  private static void writeStatus(ControllerEnvironment ground) {
    workspaces
        .client(ground.compute())
        .patchStatus(
            DependencyRule.TYPE,
            "",
            ControllerEnvironment.RULE,
            Map.of("status", Map.of("observedGeneration", 1)));
  }

  /** To what is shipped. */
  private static void upgrade(ControllerEnvironment ground) {
    KubeObject schema =
        Manifests.read(ControllerEnvironment.KCP.resolve("apiresourceschema.yaml")).getFirst();
    KubeObject export =
        Manifests.read(ControllerEnvironment.KCP.resolve("apiexport.yaml")).getFirst();
    workspaces.create(ground.dependencies(), Manifests.typeOf(schema), schema);
    workspaces
        .client(ground.dependencies())
        .patch(Manifests.typeOf(export), "", export.name(), Map.of("spec", export.map("spec")));
  }

  private static DependencyController controller(KubeConnection kcp) {
    var settings =
        new GuardSettings(
            "https://hook.example:9443/validate",
            "Q0E=",
            FailurePolicy.IGNORE,
            Duration.ofSeconds(10));
    return DependencyController.start(
        SystemTime.clocks(),
        new WorkspaceAccess(kcp, ""),
        "dependencies.opendefense.cloud",
        () -> settings,
        4,
        TIMINGS,
        () -> true);
  }
}
