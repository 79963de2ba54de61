package dev.mooring.depcontroller.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.testing.ConsoleBrowserContract;
import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.depcontroller.control.ControllerEnvironment;
import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.runtime.testing.ManagementContract;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The controller's console with 1,000 rules about 200 types. */
@Tag("full")
class ControllerConsoleBrowserIT extends ConsoleBrowserContract {
  private static final int RULES = 1_000;
  private static final int TYPES = 200;

  @TempDir private static Path directory;
  private TestWorkspaces workspaces;

  @Override
  protected ConfigurableApplicationContext start() throws Exception {
    Path users = Files.writeString(directory.resolve("users.csv"), ManagementContract.USERS);
    workspaces =
        TestWorkspaces.onSandbox(
            ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(users));
    ControllerEnvironment env = ControllerEnvironment.prepare(workspaces);
    workspaces.create(
        env.dependencies(), Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"));
    workspaces.create(env.dependencies(), ManagementContract.BINDINGS);
    env.writeRule("vpcs");
    for (int i = 1; i < RULES; i++) {
      env.writeRule("type%03ds".formatted(i % TYPES), "rule-%04d".formatted(i));
    }
    ConfigurableApplicationContext controller =
        new SpringApplicationBuilder(DependencyControllerApplication.class)
            .run(
                "--server.port=0",
                "--webhook-url=https://hook.example.com:9443/validate",
                "--kubeconfig="
                    + workspaces.kubeconfigFor(
                        env.dependencies(), directory.resolve("kubeconfig")));
    await()
        .untilAsserted(() ->
            assertThat(controller.getBean(DependencyController.class).overview().rules())
                .hasSize(RULES));
    return controller;
  }

  @Override
  protected void cleanUp() {
    if (workspaces != null) {
      workspaces.close();
    }
  }

  @Override
  protected String service() {
    return "dependency-controller";
  }

  @Override
  protected List<String> pages() {
    return List.of("", "rules", "rules?text=type01", "rules?page=20");
  }
}
