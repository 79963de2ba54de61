package dev.mooring.depcontroller.control;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Rules, and a controller, that are there before the schema of this release, as in a take-over. */
abstract class SchemaUpgradeContract {
  private static final Logger STATUS_LOG =
      (Logger) LoggerFactory.getLogger("dev.mooring.depcontroller.status");

  /** Tries again soon, so that the test is short. */
  private static final ControllerTimings TIMINGS =
      new ControllerTimings(
          ControllerEnvironment.TIMINGS.resyncPeriod(),
          ControllerEnvironment.TIMINGS.webhookUser(),
          ControllerEnvironment.TIMINGS.webhook(),
          ControllerEnvironment.TIMINGS.maxStaleness(),
          Duration.ofSeconds(1));

  private static TestWorkspaces workspaces;

  private final Collection<String> lines = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getFormattedMessage());
        }
      };

  /** To be called before all tests. */
  static void enter(TestWorkspaces given) {
    workspaces = given;
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
    appender.start();
    STATUS_LOG.addAppender(appender);
  }

  @AfterEach
  void stop() {
    STATUS_LOG.detachAppender(appender);
  }

  @Test
  void saysThatTheSchemaHasNoStatusAndShowsConditionsOnceItHas() {
    ControllerEnvironment env =
        ControllerEnvironment.prepare(workspaces, ControllerEnvironment.OLDER_KCP);
    env.writeRule("vpcs");
    try (var kcp = connection(env);
        var _ = controller(kcp)) {
      await()
          .untilAsserted(() ->
              assertThat(lines).anyMatch(line -> line.contains("DependencyRule has no status")));
      assertThat(env.guardsOnly("vpcs")).isTrue();

      upgrade(env);

      env.awaitCondition("Ready", "True", "Protected");
    }
  }

  @Test
  void keepsWhatOlderRulesSayOfTheExportOfTheirDependents() {
    ControllerEnvironment env =
        ControllerEnvironment.prepare(workspaces, ControllerEnvironment.OLDER_KCP);
    env.writeOlderRule("vpcs");
    Map<String, Object> before = env.found().map("spec");
    try (var kcp = connection(env);
        var _ = controller(kcp)) {
      await().until(() -> env.guardsOnly("vpcs"));

      upgrade(env);

      await().ignoreExceptionsInstanceOf(KubeFailure.class).untilAsserted(() -> writeStatus(env));
      assertThat(env.found().map("spec")).isEqualTo(before);
      assertThat(env.guardsOnly("vpcs")).isTrue();
    }
  }

  private static KubeConnection connection(ControllerEnvironment env) {
    env.grantToController();
    return env.connect();
  }

  /** Fails on a schema without a status. */
  private static void writeStatus(ControllerEnvironment env) {
    workspaces
        .client(env.compute())
        .patchStatus(
            DependencyRule.TYPE,
            "",
            ControllerEnvironment.RULE,
            Map.of("status", Map.of("observedGeneration", 1)));
  }

  /** To what is shipped. */
  private static void upgrade(ControllerEnvironment env) {
    KubeObject schema =
        Manifests.read(ControllerEnvironment.KCP.resolve("apiresourceschema.yaml")).getFirst();
    KubeObject export =
        Manifests.read(ControllerEnvironment.KCP.resolve("apiexport.yaml")).getFirst();
    workspaces.create(env.dependencies(), Manifests.typeOf(schema), schema);
    workspaces
        .client(env.dependencies())
        .patch(Manifests.typeOf(export), "", export.name(), Map.of("spec", export.map("spec")));
  }

  private static DependencyController controller(KubeConnection kcp) {
    var settings =
        new GuardSettings(
            "https://hook.example:9443/validate",
            "Q0E=",
            FailurePolicy.IGNORE,
            Duration.ofSeconds(10));
    return ControllerEnvironment.controller(
        SystemTime.clocks(), kcp, () -> settings, TIMINGS, () -> true);
  }
}
