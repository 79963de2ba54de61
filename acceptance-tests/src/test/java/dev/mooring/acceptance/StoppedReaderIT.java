package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitGone;
import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.deleteGuard;
import static dev.mooring.acceptance.Objects.guard;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each program, with the options of its image, while its standard output and error are a full pipe,
 * which is not read.
 */
@Tag("full")
@ExtendWith(Mooring.class)
class StoppedReaderIT {
  /** More than half of what a pipe holds. */
  private static final int FULL = 40_000;

  /** Requests after each of which a program may log a line. */
  private static final int REQUESTS = 200;

  @TempDir Path directory;

  /** What is asked of a program. */
  private interface Client extends AutoCloseable {
    boolean isReady();

    /** A request that leaves a line in the log. */
    void chat();

    /** Fails unless the program does what it is there for. */
    void work();

    @Override
    default void close() {}
  }

  @ParameterizedTest
  @EnumSource
  void worksAndEndsInTime(Program program, Mooring.Running running) throws Exception {
    Suite suite = running.suite();
    switch (program) {
      case SANDBOX -> {
        Path kubeconfig = directory.resolve("admin.kubeconfig");
        Process process =
            start(program, List.of("start", "--root-directory=" + directory, "--secure-port=0"));
        try {
          await().until(() -> Files.exists(kubeconfig));
          try (var client = new OfSandbox(kubeconfig)) {
            worksAndEndsInTime(process, client);
          }
        } finally {
          process.destroyForcibly();
        }
      }
      case SYNC_AGENT, DEPENDENCY_CONTROLLER, DEPENDENCY_WEBHOOK -> {
        suite.service(program).close();
        var arguments = new ArrayList<>(suite.arguments(program));
        arguments.add("--logging.level.root=DEBUG");
        Process process = start(program, arguments);
        try (var client = new OfService(program, running)) {
          worksAndEndsInTime(process, client);
        } finally {
          process.destroyForcibly().waitFor();
          suite.relaunch(program);
          suite.awaitReady(program);
        }
      }
    }
  }

  private static void worksAndEndsInTime(Process process, Client client) throws Exception {
    await().until(client::isReady);
    await().until(() -> isFull(process, client));

    client.work();

    assertThat(client.isReady()).isTrue();
    process.destroy();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("it has ended").isTrue();
  }

  /** Whether nothing that the program logs comes out any more. */
  private static boolean isFull(Process process, Client client) throws IOException {
    int before = process.getInputStream().available();
    for (int i = 0; i < REQUESTS; i++) {
      client.chat();
    }
    return before > FULL && process.getInputStream().available() == before;
  }

  private static Process start(Program program, List<String> arguments) throws IOException {
    Path options = Chart.LAYOUT.file("images/options/" + program.module() + ".options");
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + options,
                "-XX:TieredStopAtLevel=1",
                "-Xmx384m",
                "-jar",
                Chart.LAYOUT.jar(program).toString()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** A service that logs at level DEBUG. */
  private static final class OfService implements Client {
    private final HttpProbe probe = HttpProbe.plain();
    private final Program program;
    private final Mooring.Running running;

    OfService(Program program, Mooring.Running running) {
      this.program = program;
      this.running = running;
    }

    @Override
    public boolean isReady() {
      return probe.status(running.suite().readiness(program)).orElse(0) == 200;
    }

    @Override
    public void chat() {
      probe.status(running.suite().readiness(program));
    }

    @Override
    public void work() {
      ClusterClient blue = running.stage().blue();
      switch (program) {
        case SYNC_AGENT -> {
          blue.client().create(Types.CERTIFICATES, certificate("unread", "unread.example"));
          awaitReady(blue, "unread");
          awaitSecret(blue, "unread-tls");
          delete(blue, Types.CERTIFICATES, "unread");
          awaitGone(blue, Types.CERTIFICATES, "unread");
        }
        case DEPENDENCY_CONTROLLER -> {
          deleteGuard(running.stage().network());
          await().until(() -> guard(running.stage().network()).isPresent());
        }
        case DEPENDENCY_WEBHOOK -> {
          blue.client().create(Types.VPCS, vpc("unread"));
          blue.client().create(Types.VIRTUAL_MACHINES, machine("unread-user", "unread"));
          assertThat(refusal(blue, Types.VPCS, "unread"))
              .hasMessageEndingWith("still referenced by VirtualMachine/unread-user");
          delete(blue, Types.VIRTUAL_MACHINES, "unread-user");
          delete(blue, Types.VPCS, "unread");
        }
        case SANDBOX -> throw new IllegalArgumentException("no service");
      }
      URI metrics = running.suite().readiness(program).resolve("/actuator/prometheus");
      await()
          .until(() ->
              probe.body(metrics).orElse("").matches("(?s).*mooring_log_dropped_total [1-9].*"));
    }

    @Override
    public void close() {
      probe.close();
    }
  }

  /** A sandbox, which logs each request without the right for it. */
  private static final class OfSandbox implements Client {
    private final Kubeconfig admin;
    private final HttpProbe probe;
    private final KubeConnection kcp;

    OfSandbox(Path kubeconfig) {
      this.admin = Kubeconfig.read(kubeconfig);
      this.probe = HttpProbe.of(admin);
      this.kcp = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("acceptance"));
    }

    @Override
    public boolean isReady() {
      return status("/readyz") == 200;
    }

    @Override
    public void chat() {
      assertThat(status("/clusters/root/api/v1/secrets")).isEqualTo(403);
    }

    @Override
    public void work() {
      KubeClient root = kcp.client(WorkspacePath.ROOT);
      root.create(
          Types.WORKSPACES,
          KubeObject.of(
              Map.of(
                  "apiVersion", Types.WORKSPACES.apiVersion(),
                  "kind", "Workspace",
                  "metadata", Map.of("name", "unread"))));
      await()
          .until(() ->
              root.find(Types.WORKSPACES, "", "unread")
                  .filter(found -> found.text("status", "phase").equals("Ready"))
                  .isPresent());
    }

    @Override
    public void close() {
      kcp.close();
      probe.close();
    }

    private int status(String path) {
      return probe.status(admin.server().resolve(path)).orElse(0);
    }
  }
}
