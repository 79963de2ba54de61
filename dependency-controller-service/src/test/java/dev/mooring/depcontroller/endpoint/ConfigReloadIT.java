package dev.mooring.depcontroller.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.depcontroller.control.ControllerEnvironment;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** A mounted file that changes while the controller runs. */
class ConfigReloadIT {
  @TempDir Path directory;

  @Test
  void writesWebhookConfigurationsAgainAndNamesWhatNeedsARestart() throws Exception {
    write("{webhook-timeout: 9s, workers: 2}");
    try (TestWorkspaces workspaces =
        TestWorkspaces.onSandbox(ServerOptions.in(directory.resolve("kcp")).withPort(0))) {
      ControllerEnvironment env = ControllerEnvironment.prepare(workspaces);
      env.writeRule("vpcs");
      try (var controller =
          new SpringApplicationBuilder(DependencyControllerApplication.class)
              .run(
                  "--server.port=0",
                  "--webhook-url=https://hook.example.com:9443/validate",
                  "--kubeconfig="
                      + workspaces.kubeconfigFor(
                          env.dependencies(), directory.resolve("kubeconfig")),
                  "--spring.config.additional-location=file:" + directory.resolve("mount") + "/")) {
        awaitWebhook(env, "Fail", 9);

        write("{webhook-timeout: 7s, webhook-failure-policy: IGNORE, workers: 3}");

        awaitWebhook(env, "Ignore", 7);
        String health =
            "http://127.0.0.1:"
                + controller.getEnvironment().getProperty("local.server.port")
                + "/actuator/health/configuration";
        await()
            .untilAsserted(() ->
                assertThat(body(health))
                    .contains("\"UP\"", "[\"mooring.dependency-controller.workers\"]"));
      }
    }
  }

  private static void awaitWebhook(ControllerEnvironment env, String policy, int seconds) {
    await()
        .untilAsserted(() -> {
          Object webhook = env.firstWebhook();
          assertThat(Trees.at(webhook, "failurePolicy")).isEqualTo(policy);
          assertThat(Trees.at(webhook, "timeoutSeconds")).hasToString(Integer.toString(seconds));
        });
  }

  private static String body(String url) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private void write(String properties) throws IOException {
    Path mount = Files.createDirectories(directory.resolve("mount"));
    Path next = directory.resolve("next.yaml");
    Files.writeString(next, "mooring.dependency-controller: " + properties);
    Files.move(
        next, mount.resolve("application.yaml"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }
}
