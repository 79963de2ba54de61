package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.junit.WithKcp.Kcp;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The same test elsewhere than in the sandbox: in a process of its own, for its environment. */
class OtherKcpIT {
  @WithKcp
  static class Anywhere {
    @Test
    void runs(@Workspace("team") KcpConnection team, WorkspaceTree tree) {
      System.out.println("ran at " + team.url());
    }
  }

  @WithKcp(on = Kcp.REAL)
  static class OnARealKcp extends Anywhere {}

  @WithKcp(shards = 2)
  static class OnTwoShards extends Anywhere {}

  /** Runs the class that is named, and prints what becomes of its tests. */
  static final class Run implements TestExecutionListener {
    public static void main(String[] arguments) throws ClassNotFoundException {
      var request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(Class.forName(arguments[0])))
              .build();
      LauncherFactory.create().execute(request, new Run());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      System.out.println(test.getDisplayName() + " SKIPPED " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        System.out.println(
            "%s %s %s"
                .formatted(
                    test.getDisplayName(),
                    result.getStatus(),
                    result.getThrowable().map(OtherKcpIT::causes).orElse("")));
      }
    }
  }

  private static String causes(Throwable failure) {
    return failure.getCause() == null
        ? String.valueOf(failure.getMessage())
        : failure.getMessage() + ": " + causes(failure.getCause());
  }

  private static String output(Class<?> fixture, Map<String, String> environment)
      throws IOException, InterruptedException {
    return output(fixture, environment, System.getProperty("java.class.path"));
  }

  private static String output(Class<?> fixture, Map<String, String> environment, String classPath)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classPath,
            "-XX:TieredStopAtLevel=1",
            Run.class.getName(),
            fixture.getName());
    process.environment().remove("KCP_KUBECONFIG");
    process.environment().remove("KCP_IMAGE");
    process.environment().putAll(environment);
    Process running = process.redirectErrorStream(true).start();
    String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    running.waitFor();
    return output;
  }

  @Test
  void runsOnTheKcpOfAKubeconfigAndLeavesNothingThere(@TempDir Path directory) throws Exception {
    try (KcpSandbox running = KcpSandbox.start(ServerOptions.in(directory))) {
      var environment = Map.of("KCP_KUBECONFIG", running.kubeconfigFile().toString());

      String output = output(Anywhere.class, environment);

      assertThat(output)
          .contains("ran at " + running.url() + "/clusters/root:anywhere-runs-")
          .contains("SUCCESSFUL");
      assertThat(output(OnARealKcp.class, environment)).contains("SUCCESSFUL");
      assertThat(output(OnTwoShards.class, environment))
          .contains("SKIPPED skipped: the test needs 2 shards, and the kcp at " + running.url());
      try (var client = new KcpClient(new KubeconfigReader(running.kubeconfigFile()).read())) {
        var left = client.get("/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces").body();
        assertThat(left.list("items"))
            .allMatch(item -> Trees.at(item, "metadata", "deletionTimestamp") != null);
      }
    }
  }

  @Test
  void saysThatAKubeconfigLeadsNowhere(@TempDir Path directory) throws Exception {
    Path kubeconfig;
    try (KcpSandbox stopped = KcpSandbox.start(ServerOptions.in(directory))) {
      kubeconfig = stopped.kubeconfigFile();
    }

    assertThat(output(Anywhere.class, Map.of("KCP_KUBECONFIG", kubeconfig.toString())))
        .contains("FAILED", "kcp does not answer at https://127.0.0.1:");
  }

  @Test
  void anImageThatTheEnvironmentAsksForFailsWithoutAnEngine() throws Exception {
    assumeTrue(
        ContainerEngine.missing().isPresent(), "skipped: this machine has a container engine");

    assertThat(output(Anywhere.class, Map.of("KCP_IMAGE", "kcp:absent")))
        .contains("FAILED", "KCP_IMAGE asks for kcp:absent, but there is no container engine");
  }

  @Test
  void withoutTestcontainersTheReasonNamesThem() throws Exception {
    String classPath =
        Pattern.compile(File.pathSeparator)
            .splitAsStream(System.getProperty("java.class.path"))
            .filter(jar -> !jar.contains("testcontainers") && !jar.contains("docker-java"))
            .collect(Collectors.joining(File.pathSeparator));

    assertThat(output(OnARealKcp.class, Map.of(), classPath))
        .contains("SKIPPED", "no Testcontainers: add org.testcontainers:testcontainers");
    assertThat(output(Anywhere.class, Map.of("KCP_IMAGE", "kcp:absent"), classPath))
        .contains("FAILED", "KCP_IMAGE asks for kcp:absent, but there is no Testcontainers: add");
  }

  @Test
  void aTestThatNeedsARealKcpIsSkippedWithoutAnEngine() throws Exception {
    assumeTrue(
        ContainerEngine.missing().isPresent(), "skipped: this machine has a container engine");

    assertThat(output(OnARealKcp.class, Map.of()))
        .contains("SKIPPED", "skipped: the test needs a real kcp. Set KCP_KUBECONFIG, or let")
        .contains("no container engine: start Docker or Podman");
  }
}
