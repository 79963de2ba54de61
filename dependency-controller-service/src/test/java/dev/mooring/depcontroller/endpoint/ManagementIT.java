package dev.mooring.depcontroller.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.testing.ConsoleContract;
import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.depcontroller.control.ControllerEnvironment;
import dev.mooring.runtime.testing.LogLines;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.Fault;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The controller's management endpoints; the dependency workspace knows their callers. */
@ExtendWith(OutputCaptureExtension.class)
class ManagementIT extends ConsoleContract {
  @TempDir private static Path directory;

  private final Map<Port, ConfigurableApplicationContext> controllers = new EnumMap<>(Port.class);
  private ConfigurableApplicationContext withoutTokens;
  private TestWorkspaces workspaces;
  private ControllerEnvironment env;

  @BeforeAll
  void starts() throws Exception {
    Path users = Files.writeString(directory.resolve("users.csv"), USERS);
    workspaces =
        TestWorkspaces.onSandbox(
            ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(users));
    env = ControllerEnvironment.prepare(workspaces);
    env.writeRule("vpcs");
    workspaces.create(
        env.dependencies(), Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"));
    workspaces.create(env.dependencies(), BINDINGS);
    controllers.put(Port.SHARED, start());
    controllers.put(Port.SEPARATE, start("--management.server.port=0"));
    withoutTokens = start("--mooring.dependency-controller.endpoint-auth=false");
    awaitReady();
    for (Port port : Port.values()) {
      await()
          .untilAsserted(() ->
              assertThat(send(port, "GET", "/actuator/status/" + item(), "readers-token").body())
                  .contains("protects"));
    }
  }

  @AfterAll
  void stops() {
    controllers.values().forEach(ConfigurableApplicationContext::close);
    withoutTokens.close();
    workspaces.close();
  }

  @ParameterizedTest
  @EnumSource
  void theConsoleDrawsRulesAcrossWorkspaces(Port port) throws Exception {
    HttpResponse<String> rules = send(port, "GET", "/console/rules?text=vpcs", "readers-token");

    assertThat(rules.body())
        .contains(
            "vpcs.network.example.com of " + env.network(),
            "virtualmachines.compute.example.com of " + workspaces.cluster(env.compute()),
            "<svg",
            workspaces.cluster(env.compute()) + "/vm",
            "in force",
            "Deny");
    assertThat(send(port, "GET", "/console/rules?text=nothing-like-it", "readers-token").body())
        .contains("Dependencies of rules: 0")
        .doesNotContain("<svg");
    assertThat(send(port, "GET", "/console/rules", "strangers-token").statusCode()).isEqualTo(403);
  }

  @Test
  void theLogLineOfAFailedStatusNamesItsRule(CapturedOutput output) {
    workspaces.sandbox().faults().inject(Fault.CONFLICT, 1);
    try {
      env.writeRule("vpcs", "second");
      String compute = workspaces.cluster(env.compute()).name();

      await()
          .untilAsserted(() ->
              assertThat(LogLines.fields(output.getOut(), "failed, next try in"))
                  .anySatisfy(fields ->
                      assertThat(fields)
                          .containsEntry("logical_cluster", compute)
                          .containsEntry("workspace", env.compute().value())
                          .containsEntry("type", "dependencyrules.dependencies.opendefense.cloud")
                          .containsEntry("name", "second")
                          .containsEntry("rule", compute + "/second")));
    } finally {
      workspaces.sandbox().faults().reset();
    }
  }

  private ConfigurableApplicationContext start(String... more) {
    var arguments = new ArrayList<>(ARGUMENTS);
    arguments.addAll(
        List.of(
            "--server.port=0",
            "--webhook-url=https://hook.example.com:9443/validate",
            "--kubeconfig="
                + workspaces.kubeconfigFor(env.dependencies(), directory.resolve("kubeconfig"))));
    arguments.addAll(List.of(more));
    return new SpringApplicationBuilder(DependencyControllerApplication.class)
        .run(arguments.toArray(String[]::new));
  }

  @Override
  protected URI management(Port port) {
    String property =
        switch (port) {
          case SHARED -> "local.server.port";
          case SEPARATE -> "local.management.port";
        };
    return URI.create(
        "http://127.0.0.1:" + controllers.get(port).getEnvironment().getProperty(property));
  }

  @Override
  protected URI managementWithoutTokens() {
    return URI.create(
        "http://127.0.0.1:" + withoutTokens.getEnvironment().getProperty("local.server.port"));
  }

  @Override
  protected String item() {
    return workspaces.cluster(env.network()).name();
  }

  @Override
  protected String unknownItem() {
    return "nowhere";
  }

  @Override
  protected List<String> readinessDetails() {
    return List.of("\"rules\"", "\"lastEventAgeSeconds\"", "\"lease\"");
  }
}
