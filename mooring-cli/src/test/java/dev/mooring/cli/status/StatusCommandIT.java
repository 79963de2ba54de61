package dev.mooring.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.cli.CommandRun;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a sandbox whose workspace root has a PublishedResource. */
class StatusCommandIT {
  @TempDir static Path directory;
  private static KcpSandbox kcp;
  private static KubeConnection connection;

  @BeforeAll
  static void start() {
    ProjectLayout layout = ProjectLayout.find();
    kcp = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")).withPort(0));
    connection = KubeConnection.fromKubeconfig(kcp.kubeconfigFile(), ConnectionOptions.of("test"));
    KubeClient root = connection.client(new WorkspacePath("root"));
    root.create(
        Types.CRDS,
        Manifests.ofFile(
                layout.file(
                    "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml"))
            .getFirst());
    await()
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(root.list(Types.PUBLISHED_RESOURCES, ListQuery.ALL).items()).isEmpty());
    KubeObject created =
        root.create(
            Types.PUBLISHED_RESOURCES,
            Manifests.ofFile(layout.file("docs/how-to/example/published.yaml")).getFirst());
    root.updateStatus(
        Types.PUBLISHED_RESOURCES,
        created.with(
            List.of(
                Map.of(
                    "type", "Accepted",
                    "status", "False",
                    "reason", "ResourceNotFound",
                    "message", "no such kind",
                    "lastTransitionTime", "2026-01-01T00:00:00Z")),
            "status",
            "conditions"));
  }

  @AfterAll
  static void stop() {
    connection.close();
    kcp.close();
  }

  @Test
  void showsTheConditionThatSaysWhy() {
    CommandRun run = status("--workspace", "root");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().skip(1).findFirst().orElseThrow())
        .matches(
            "PublishedResource/certificates {3}failing {3}\\d+d +Accepted +ResourceNotFound +no"
                + " such kind");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void drawsTheRulesOfAWorkspaceWithTheirProblems() {
    ProjectLayout layout = ProjectLayout.find();
    KubeClient root = connection.client(new WorkspacePath("root"));
    root.create(
        Types.CRDS, Manifests.ofFile(layout.file("charts/mooring/kcp/crd.yaml")).getFirst());
    KubeObject rule =
        await()
            .ignoreExceptions()
            .until(
                () ->
                    root.create(
                        DependencyRule.TYPE,
                        Manifests.ofFile(layout.file("docs/how-to/example/rules.yaml")).getFirst()),
                created -> true);
    root.updateStatus(
        DependencyRule.TYPE,
        rule.with(
            Map.of(
                "observedGeneration",
                1L,
                "conditions",
                List.of(
                    Map.of(
                        "type", "Accepted",
                        "status", "False",
                        "reason", "NoExport",
                        "message", "compute.example.corp does not exist",
                        "lastTransitionTime", "2026-01-01T00:00:00Z"))),
            "status"));

    CommandRun run =
        CommandRun.of("graph", "--kubeconfig=" + kcp.kubeconfigFile(), "--workspace=root");

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern("machines +Deny +NoExport: compute.example.corp does not exist");
  }

  @Test
  void leavesNoWorkspaceThatDoesNotExist() {
    CommandRun run =
        CommandRun.of(
            "leave",
            "protection",
            "--provider=root:nosuch",
            "--kubeconfig=" + kcp.kubeconfigFile());

    assertThat(run.err())
        .isEqualTo("mooring: there is no workspace root:nosuch; correct --provider\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void showsAServiceThatDoesNotAnswerInALine() {
    CommandRun run = status("--workspace", "root", "--agent-url", "http://127.0.0.1:1");

    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().skip(1))
        .anySatisfy(line ->
            assertThat(line)
                .startsWith("sync agent ")
                .contains("Unreachable", "http://127.0.0.1:1 does not answer", "--agent-url"))
        .anySatisfy(line -> assertThat(line).startsWith("PublishedResource/certificates "))
        .contains(
            "not asked: dependency controller (--controller-url), dependency webhook"
                + " (--webhook-url)");
    assertThat(run.status()).isEqualTo(1);
  }

  /** The sandbox answers, but it is no service of Mooring. */
  @Test
  void saysThatAnotherServerIsAtTheUrlAndThatItsCaIsNotTrusted() {
    CommandRun run = status("--workspace", "root", "--agent-url", kcp.url().toString());

    assertThat(run.out()).contains("--management-ca");
  }

  @Test
  void showsServicesThoughKcpDoesNotAnswer() throws IOException {
    CommandRun run =
        CommandRun.of(
            "status",
            "--kubeconfig",
            gone().toString(),
            "--agent-url",
            "http://127.0.0.1:1",
            "-o",
            "json");

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("\"reason\":\"Unreachable\"", "\"reason\":\"NotRead\"");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void saysThatAWorkspaceServesNeitherType() {
    connection
        .client(new WorkspacePath("root"))
        .create(
            Types.WORKSPACES,
            Manifests.ofResource("/demo/workspace.yaml", Map.of("name", "other")).getFirst());

    await()
        .untilAsserted(() -> {
          CommandRun run = status("--workspace", "root:other");
          assertThat(run.status()).isEqualTo(2);
          assertThat(run.err()).contains("serves neither PublishedResources nor").hasLineCount(1);
        });
  }

  @Test
  void namesTheContextsThatThereAre() {
    CommandRun run = status("--context", "absent");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("has no context absent; it has [").hasLineCount(1);
  }

  @Test
  void saysThatAServerCannotBeReached() throws IOException {
    CommandRun run = CommandRun.of("status", "--kubeconfig", gone().toString());

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).startsWith("mooring: ").hasLineCount(1);
  }

  @Test
  void saysThatTheServerRefusesTheCredentials() throws IOException {
    Path stranger =
        Kubeconfig.read(kcp.kubeconfigFile())
            .withUser(Map.of("token", "unknown"))
            .write(directory.resolve("stranger.kubeconfig"));

    CommandRun run = CommandRun.of("status", "--kubeconfig", stranger.toString());

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.err()).hasLineCount(1);
  }

  private static Path gone() throws IOException {
    return Files.writeString(
        directory.resolve("gone.kubeconfig"),
        Files.readString(kcp.kubeconfigFile())
            .replaceAll("https://[^/\\s]+", "https://127.0.0.1:1"));
  }

  private static CommandRun status(String... more) {
    var arguments = new ArrayList<>(List.of("status", "--kubeconfig"));
    arguments.add(kcp.kubeconfigFile().toString());
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }
}
