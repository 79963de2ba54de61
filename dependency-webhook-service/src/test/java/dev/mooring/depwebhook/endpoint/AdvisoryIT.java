package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deletions that a rule only warns of, asked about as the controller has kcp ask. */
class AdvisoryIT {
  private static WebhookEnvironment land;
  private static KubernetesClient kcp;
  private final AtomicInteger deleted = new AtomicInteger();

  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.rule(land.compute, "told", "mode: Warn", MACHINES, "{path: .spec.ref.name}", "vpcs");
    Path kubeconfig =
        land.workspaces.kubeconfigFor(land.consumer, directory.resolve("of-the-consumer"));
    kcp =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
            .build();
  }

  @AfterAll
  static void stops() {
    kcp.close();
    land.close();
  }

  @Test
  void goWithAWarningWhetherOrNotTheReplicaThatIsAskedKnowsItsRules() throws Exception {
    land.advise(WebhookEnvironment.port(land.serveWithoutRules()), "vpcs");
    await()
        .until(() ->
            warningsOfADeletion()
                .contains(
                    "299 - \"not checked for what still refers to it: the dependency webhook does"
                        + " not know its rules now\""));

    land.unguard();
    land.advise(WebhookEnvironment.port(land.serve(1)), "vpcs");
    await()
        .until(() ->
            warningsOfADeletion()
                .contains(
                    "299 - \"vpcs/net-%1$d is still referenced by VirtualMachine/vm-%1$d\""
                        .formatted(deleted.get())));
  }

  /** Of an object that is referred to, and goes in any case. */
  private List<String> warningsOfADeletion() throws Exception {
    String name = "net-" + deleted.incrementAndGet();
    land.create(VPCS, "default", name, "");
    land.create(MACHINES, "default", "vm-" + deleted.get(), name);
    HttpClient http = kcp.getHttpClient();
    String path = "%s/%s/namespaces/default/vpcs/%s";
    HttpResponse<String> answer =
        http.sendAsync(
                http.newHttpRequestBuilder()
                    .uri(
                        path.formatted(
                            land.workspaces.client(land.consumer).url(), VPCS.apiPath(), name))
                    .method("DELETE", "application/json", null)
                    .build(),
                String.class)
            .get();
    assertThat(answer.code()).as(answer.body()).isEqualTo(200);
    assertThat(land.exists(VPCS, "default", name)).isFalse();
    return answer.headers("Warning");
  }
}
