package dev.mooring.images;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program's start as its users have it, for the JVM to learn what a start loads: a service
 * connects to a kcp-sandbox, in which it finds nothing to do, but for the webhook, which reviews
 * deletions; the sandbox is asked what its users ask.
 */
record Training(Path project, Path javaHome, Path directory) {
  private static final String REHEARSAL = "dev.mooring.sandbox.server.Rehearsal";

  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Of each kind: enough for the JVM to know which methods a review needs often. */
  private static final int REVIEWS = 20;

  /** In which a service that has started connects and lists; what it misses then is no error. */
  private static final Duration WORK = Duration.ofSeconds(5);

  /**
   * Runs until the program has started and a while longer, and ends it as Kubernetes does.
   *
   * @param java the JVM with its options
   * @param jar the program's
   * @return what the program said
   */
  String run(Program program, List<String> java, Path jar) throws IOException {
    Files.createDirectories(directory);
    var command = new ArrayList<>(java);
    if (program == Program.KCP_SANDBOX) {
      command.addAll(
          List.of("-cp", jar.toString(), REHEARSAL, directory.resolve("trained").toString()));
      return Command.run(directory, command.toArray(String[]::new));
    }
    command.addAll(List.of("-jar", jar.toString()));
    Path root = directory.resolve("kcp");
    String sandboxJar = Program.KCP_SANDBOX.jar(project).toString();
    try (var sandbox =
        new Running(
            sandbox(List.of(JavaRuntime.java(javaHome), "-jar", sandboxJar), root),
            directory.resolve("kcp.log"))) {
      // It writes its kubeconfig when it listens.
      sandbox.await(() -> Files.isRegularFile(root.resolve("admin.kubeconfig")));
      Path said = directory.resolve("trained.log");
      String port = freePort();
      command.addAll(service(program, root, port));
      if (program == Program.DEPENDENCY_WEBHOOK) {
        send("objects", 1, root, port);
      }
      try (var service = new Running(command, said)) {
        service.await(() -> Files.readString(said).contains("Application in "));
        Running.rest(WORK);
        if (program == Program.DEPENDENCY_WEBHOOK) {
          send("reviews", REVIEWS, root, port);
        }
      }
      return Files.readString(said);
    }
  }

  /** Sends the requests of a file: without a rule and reviews a webhook uses little of its code. */
  private void send(String what, int times, Path kcp, String port) throws IOException {
    String requests =
        Files.readString(project.resolve("images/training/dependency-webhook." + what));
    for (String manifest : List.of("apiresourceschema.yaml", "apiexport.yaml")) {
      Path file = project.resolve("charts/mooring/kcp").resolve(manifest);
      requests = requests.replace("$" + manifest, Files.readString(file));
    }
    Path file = Files.writeString(directory.resolve(what), requests.replace("$PORT", port));
    Command.run(
        directory,
        JavaRuntime.java(javaHome),
        "-cp",
        Program.KCP_SANDBOX.jar(project).toString(),
        "dev.mooring.sandbox.server.Requests",
        kcp.resolve("admin.kubeconfig").toString(),
        file.toString(),
        String.valueOf(times));
  }

  private static List<String> sandbox(List<String> java, Path root) throws IOException {
    var command = new ArrayList<>(java);
    command.addAll(
        List.of("start", "--root-directory", root.toString(), "--secure-port", freePort()));
    return command;
  }

  private static List<String> service(Program program, Path kcp, String port) throws IOException {
    Path kubeconfig = kcp.resolve("admin.kubeconfig");
    var arguments =
        new ArrayList<>(
            List.of(
                "--spring.profiles.active=prod",
                "--server.address=127.0.0.1",
                "--server.port=" + port));
    arguments.addAll(
        switch (program) {
          case SYNC_AGENT ->
              List.of(
                  "--mooring.sync-agent.kubeconfig=" + kubeconfig,
                  "--mooring.sync-agent.kcp-kubeconfig=" + kubeconfig,
                  "--mooring.sync-agent.namespace=default",
                  "--mooring.sync-agent.apiexportendpointslice-ref=none");
          case DEPENDENCY_CONTROLLER ->
              List.of(
                  "--mooring.dependency-controller.kubeconfig=" + kubeconfig,
                  "--mooring.dependency-controller.webhook-url=https://127.0.0.1:9/validate",
                  "--mooring.dependency-controller.webhook-ca-bundle-path="
                      + kcp.resolve("ca.crt"));
          case DEPENDENCY_WEBHOOK ->
              List.of(
                  "--management.server.address=127.0.0.1",
                  "--management.server.port=0",
                  "--mooring.dependency-webhook.kubeconfig=" + kubeconfig,
                  "--mooring.dependency-webhook.tls-cert-dir=" + certificate(kcp));
          case KCP_SANDBOX -> List.of();
        });
    return arguments;
  }

  /** The sandbox's own, under the names of a TLS Secret. */
  private static Path certificate(Path kcp) throws IOException {
    Path tls = Files.createDirectories(kcp.resolve("tls"));
    Files.copy(kcp.resolve("apiserver.crt"), tls.resolve("tls.crt"));
    Files.copy(kcp.resolve("apiserver.key"), tls.resolve("tls.key"));
    return tls;
  }

  private static String freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return String.valueOf(socket.getLocalPort());
    }
  }

  /** A process, its output in a file; closing it sends SIGTERM and waits for its end. */
  private record Running(Process process, Path said) implements AutoCloseable {
    Running(List<String> command, Path said) throws IOException {
      this(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start(),
          said);
    }

    void await(State state) throws IOException {
      long end = System.nanoTime() + START_MAX.toNanos();
      while (!state.holds()) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw new ImageFailure("The AOT cache needs a start, which failed:%n%s".formatted(end()));
        }
        rest(LOOK);
      }
    }

    private String end() throws IOException {
      return Files.readString(said, StandardCharsets.UTF_8);
    }

    static void rest(Duration time) {
      try {
        Thread.sleep(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ImageFailure("interrupted");
      }
    }

    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  private interface State {
    boolean holds() throws IOException;
  }
}
