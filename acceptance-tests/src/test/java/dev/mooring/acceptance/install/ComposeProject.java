package dev.mooring.acceptance.install;

import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.ProcessGroup;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * Does what {@code docker compose up} does with the project's docker-compose.yml, with a process in
 * place of each container: commands, environment, volumes (as directories), health checks and
 * dependencies are those of the file; names of hosts are loopback addresses with free ports. An
 * image of this project is its jar, the image of {@code compose/} is bash, and kcp's image is the
 * sandbox or a kcp that already runs.
 */
final class ComposeProject implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(240);
  private static final Duration HEALTH_CHECK = Duration.ofSeconds(30);

  /** Of kcp's, what the sandbox does not know and does not need on loopback. */
  private static final Set<String> NOT_OF_THE_SANDBOX = Set.of("--external-hostname");

  /** A kcp that runs already, in place of the container {@code kcp}. */
  record RunningKcp(Path adminKubeconfig, String address, Path clientCa, Path clientCaKey) {}

  private final ProjectLayout layout;
  private final Path directory;
  private final Optional<RunningKcp> runningKcp;
  private final Map<String, Object> services;
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, ServiceProcess> running = new LinkedHashMap<>();
  private final ProcessGroup processes = new ProcessGroup();

  ComposeProject(ProjectLayout layout, Path directory, Optional<RunningKcp> runningKcp) {
    this.layout = layout;
    this.directory = directory.toAbsolutePath().normalize();
    this.runningKcp = runningKcp;
    Object file = new Yaml().load(OwnFiles.read(layout.file("docker-compose.yml")));
    this.services = Trees.mapOrEmpty(Trees.at(file, "services"));
    services.keySet().forEach(this::giveAddresses);
    runningKcp.ifPresent(this::standIn);
  }

  Set<String> services() {
    return services.keySet();
  }

  /** Whether the container goes on until it is stopped; others do their work and end. */
  boolean goesOn(String service) {
    return Trees.at(services.get(service), "healthcheck") != null;
  }

  /** Starts what does not run, each after what it depends on, and waits until all are healthy. */
  void up() {
    var done = new ArrayList<String>();
    while (done.size() < services.size()) {
      String next =
          services.keySet().stream()
              .filter(service -> !done.contains(service))
              .filter(service -> done.containsAll(dependencies(service).keySet()))
              .findFirst()
              .orElseThrow(
                  () -> new HarnessFailure("docker-compose.yml: dependencies form a circle"));
      dependencies(next).forEach(this::await);
      start(next);
      done.add(next);
    }
    services.keySet().stream().filter(this::goesOn).forEach(this::awaitHealthy);
  }

  /** The directory in place of a named volume. */
  Path volume(String name) {
    return directory.resolve("volumes").resolve(name);
  }

  /** Where the port of a container is reached, as host and port. */
  String address(String service, int port) {
    return addresses.get(service + ":" + port);
  }

  /** What a container that ended wrote, when it ran last. */
  String output(String service) {
    return OwnFiles.read(log(service));
  }

  @Override
  public void close() {
    processes.close();
  }

  private void start(String service) {
    if (service.equals("kcp") && runningKcp.isPresent()) {
      return;
    }
    if (goesOn(service)) {
      ServiceProcess process = running.get(service);
      if (process == null) {
        running.put(
            service,
            processes.start(service, command(service), environment(service), log(service)));
      } else {
        process.requireAlive();
      }
      return;
    }
    Shell.Result result = Shell.run(command(service), environment(service), layout.root(), START);
    OwnFiles.write(log(service), result.output());
    if (result.status() != 0) {
      throw new HarnessFailure(
          "Container "
              + service
              + " ended with status "
              + result.status()
              + ":\n"
              + result.output());
    }
  }

  /** The ways to wait that the file uses; {@code start} itself waits for one that ends. */
  private void await(String service, String condition) {
    switch (condition) {
      case "service_healthy" -> awaitHealthy(service);
      case "service_started", "service_completed_successfully" -> {}
      default -> throw new HarnessFailure("docker-compose.yml: condition " + condition);
    }
    if (condition.equals("service_completed_successfully") == goesOn(service)) {
      throw new HarnessFailure(
          "docker-compose.yml: " + service + " cannot meet the condition " + condition);
    }
  }

  private void awaitHealthy(String service) {
    if (service.equals("kcp") && runningKcp.isPresent()) {
      return;
    }
    List<String> check =
        Trees.listOrEmpty(Trees.at(services.get(service), "healthcheck", "test")).stream()
            .map(Object::toString)
            .toList();
    if (!check.getFirst().equals("CMD")) {
      throw new HarnessFailure("docker-compose.yml: health check of " + service + " is no CMD");
    }
    List<String> command = mapping(service).apply(check.subList(1, check.size()));
    Await.until(
        "container " + service + " is healthy",
        START,
        () -> running.get(service).requireAlive(),
        () -> Shell.run(command, environment(service), layout.root(), HEALTH_CHECK).status() == 0);
  }

  private List<String> command(String service) {
    Mapping mapping = mapping(service);
    List<String> arguments =
        Trees.listOrEmpty(Trees.at(services.get(service), "command")).stream()
            .map(Object::toString)
            .toList();
    String image = Trees.textOrEmpty(Trees.at(services.get(service), "image"));
    if (image.startsWith("mooring/compose:")) {
      return List.of("bash", layout.file("compose" + arguments.getFirst()).toString());
    }
    if (image.startsWith("ghcr.io/kcp-dev/kcp:")) {
      return java(
          Program.SANDBOX,
          mapping.apply(
              arguments.stream()
                  .filter(argument -> !NOT_OF_THE_SANDBOX.contains(argument.split("=")[0]))
                  .map(argument -> onLoopback(service, argument))
                  .toList()));
    }
    Program program = program(service);
    List<String> all =
        new ArrayList<>(
            mapping.apply(
                arguments.stream().map(argument -> onLoopback(service, argument)).toList()));
    switch (program) {
      case SANDBOX -> {}
      case SYNC_AGENT -> all.add("--server.port=" + port(service, 8085));
      case DEPENDENCY_CONTROLLER -> all.add("--server.port=" + port(service, 8086));
      case DEPENDENCY_WEBHOOK -> {
        all.add("--server.port=" + port(service, 9443));
        all.add("--management.server.port=" + port(service, 8087));
      }
    }
    return java(program, all);
  }

  private Program program(String service) {
    String module = Trees.textOrEmpty(Trees.at(services.get(service), "build", "args", "PROGRAM"));
    return Stream.of(Program.values())
        .filter(program -> program.module().equals(module))
        .findFirst()
        .orElseThrow(
            () -> new HarnessFailure("docker-compose.yml: what is the image of " + service + "?"));
  }

  private String onLoopback(String service, String argument) {
    if (argument.startsWith("--bind-address=")) {
      return "--bind-address=127.0.0.1";
    }
    if (argument.startsWith("--secure-port=")) {
      return "--secure-port=" + port(service, Integer.parseInt(argument.split("=")[1]));
    }
    return argument;
  }

  private List<String> java(Program program, List<String> arguments) {
    return Jars.command(layout, program, arguments);
  }

  private Map<String, String> environment(String service) {
    var environment = new LinkedHashMap<String, String>();
    environment.put("SERVICE_USER", Long.toString(ownUser()));
    Trees.mapOrEmpty(Trees.at(services.get(service), "environment"))
        .forEach((name, value) -> environment.put(name, mapping(service).apply(value.toString())));
    return environment;
  }

  /** Files given to another user could not be read by processes of this one. */
  private long ownUser() {
    try {
      return ((Number) Files.getAttribute(directory, "unix:uid")).longValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Mapping mapping(String service) {
    var mounts = new HashMap<String, Path>();
    for (Object volume : Trees.listOrEmpty(Trees.at(services.get(service), "volumes"))) {
      String[] parts = volume.toString().split(":");
      mounts.put(
          parts[1],
          parts[0].startsWith(".")
              ? layout.root().resolve(parts[0]).normalize()
              : OwnFiles.directory(volume(parts[0])));
    }
    var seen = new HashMap<>(addresses);
    addresses.forEach((from, to) -> {
      if (from.startsWith(service + ":")) {
        seen.put("127.0.0.1" + from.substring(service.length()), to);
      }
    });
    return new Mapping(mounts, seen);
  }

  /** A port for each one that the container publishes, and one for the webhook's reviews. */
  private void giveAddresses(String service) {
    for (Object published : Trees.listOrEmpty(Trees.at(services.get(service), "ports"))) {
      String[] parts = published.toString().split(":");
      addresses.put(service + ":" + parts[parts.length - 1], "127.0.0.1:" + freePort());
    }
    if (service.equals("dependency-webhook")) {
      addresses.put(service + ":9443", "127.0.0.1:" + freePort());
    }
  }

  private void standIn(RunningKcp kcp) {
    addresses.put("kcp:6443", kcp.address());
    copy(kcp.adminKubeconfig(), volume("kcp").resolve(".kcp/admin.kubeconfig"));
    copy(kcp.clientCa(), volume("certificates").resolve("client-ca.crt"));
    copy(kcp.clientCaKey(), volume("certificates").resolve("client-ca.key"));
  }

  private int port(String service, int port) {
    return Integer.parseInt(address(service, port).split(":")[1]);
  }

  private Map<String, String> dependencies(String service) {
    var conditions = new LinkedHashMap<String, String>();
    Trees.mapOrEmpty(Trees.at(services.get(service), "depends_on"))
        .forEach(
            (name, value) -> conditions.put(name, Trees.textOrEmpty(Trees.at(value, "condition"))));
    return conditions;
  }

  private Path log(String service) {
    return directory.resolve("logs").resolve(service + ".log");
  }

  static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) {
    OwnFiles.write(to, OwnFiles.read(from));
  }
}
