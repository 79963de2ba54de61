package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.testing.ConsoleBrowserContract;
import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
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

/** The webhook's console, at its management port. */
@Tag("full")
class WebhookConsoleBrowserIT extends ConsoleBrowserContract {
  @TempDir private static Path directory;
  private WebhookEnvironment land;

  @Override
  protected ConfigurableApplicationContext start() throws Exception {
    Path users = Files.writeString(directory.resolve("users.csv"), ManagementContract.USERS);
    land =
        WebhookEnvironment.on(
            TestWorkspaces.onSandbox(
                ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(users)),
            directory,
            1);
    land.usualRules();
    land.workspaces.create(
        land.dependencies, Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"));
    land.workspaces.create(land.dependencies, ManagementContract.BINDINGS);
    TestCertificate.forLocalhost(directory.resolve("tls"));
    land.create(VPCS, "default", "main", "");
    land.create(MACHINES, "default", "vm-1", "main");
    ConfigurableApplicationContext webhook =
        new SpringApplicationBuilder(DependencyWebhookApplication.class)
            .run(
                "--server.port=0",
                "--management.server.port=0",
                "--tls-cert-dir=" + directory.resolve("tls"),
                "--mooring.dependency-webhook.drain=0s",
                "--kubeconfig="
                    + land.workspaces.kubeconfigFor(
                        land.dependencies, directory.resolve("kubeconfig")));
    await()
        .untilAsserted(() ->
            assertThat(webhook.getBean(RuleStore.class).current())
                .isInstanceOf(Rules.Loaded.class));
    return webhook;
  }

  @Override
  protected void cleanUp() {
    if (land != null) {
      land.close();
    }
  }

  @Override
  protected String service() {
    return "dependency-webhook";
  }

  @Override
  protected List<String> pages() {
    return List.of(
        "",
        "rules",
        "deletions",
        "deletions?resource=vpcs.network.example.com&namespace=default&name=main&cluster="
            + land.workspaces.cluster(land.consumer));
  }
}
