package dev.mooring.harness;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The whole of Mooring on this machine: kcp (the sandbox or one that is there), a service cluster
 * and the three services, each a process of its own. Closing it ends what it started, in particular
 * not a kcp that was there before.
 */
public final class Suite implements AutoCloseable {
  /** Five JVMs start side by side, perhaps on two cores that others use as well. */
  private static final Duration START = Duration.ofSeconds(240);

  /** After so many a service is broken rather than unlucky. */
  private static final int RESTARTS_MAX = 10;

  /** Loopback only, and plain logs. */
  private static final String LOCAL = "--spring.profiles.active=local";

  private static final Duration SUPERVISION = Duration.ofMillis(500);

  private final ProjectLayout layout;
  private final Path directory;
  private final PortPlan ports;
  private final KcpChoice choice;
  private final ProcessGroup processes = new ProcessGroup();
  private final Map<Program, ServiceProcess> services = new EnumMap<>(Program.class);
  private final Map<Program, List<String>> arguments = new EnumMap<>(Program.class);
  private final Path clientCaFile;
  private final ServiceUsers serviceClusterUsers;
  private final Optional<ServiceUsers> kcpUsers;
  private int reviewPort;

  @SuppressWarnings("NullAway.Init") // Set by awaitKcp, which every user of it follows.
  private Kubeconfig kcp;

  @SuppressWarnings("NullAway.Init") // Set by awaitServiceCluster, which its users follow.
  private Kubeconfig serviceCluster;

  /**
   * @param directory for kubeconfigs, certificates, data and logs; credentials in it are readable
   *     by their owner alone
   */
  public Suite(ProjectLayout layout, Path directory, PortPlan ports, KcpChoice choice) {
    this.layout = layout;
    this.directory = directory.toAbsolutePath().normalize();
    this.ports = ports;
    this.reviewPort = ports.admission();
    this.choice = choice;
    Path clientCa = this.directory.resolve("client-ca");
    this.clientCaFile = clientCa.resolve("ca.crt");
    this.serviceClusterUsers =
        ServiceUsers.signedBy(CertificateAuthority.in(clientCa, Instant.now()));
    this.kcpUsers =
        switch (choice) {
          case KcpChoice.Sandbox(int _) -> Optional.of(serviceClusterUsers);
          case KcpChoice.Existing(Path _) -> ServiceUsers.ofRunningKcp(System.getenv(), clientCa);
        };
  }

  public Path directory() {
    return directory;
  }

  public KcpChoice choice() {
    return choice;
  }

  public PortPlan ports() {
    return ports;
  }

  public ProjectLayout layout() {
    return layout;
  }

  /** Launches what has to be launched for kcp and the service cluster; neither may be ready yet. */
  public void launchClusters() {
    ports.requireFree(choice);
    for (Program program : Program.values()) {
      layout.jar(program);
    }
    switch (choice) {
      case KcpChoice.Sandbox(int shards) ->
          // Shards take the ports after that of their front proxy, which others may have.
          launchSandbox(
              "kcp", shards == 1 ? ports.kcp() : 0, List.of("--mode=kcp", "--shards=" + shards));
      case KcpChoice.Existing(Path kubeconfig) -> kcp = Kubeconfig.read(kubeconfig);
    }
    launchSandbox("service cluster", ports.serviceCluster(), List.of("--mode=kubernetes"));
  }

  /** The administrator's way into kcp, once it answers. */
  public Kubeconfig awaitKcp() {
    if (choice instanceof KcpChoice.Sandbox) {
      kcp = awaitSandbox("kcp");
    }
    awaitReady("kcp", kcp);
    return kcp;
  }

  /**
   * An administrator's way into one shard, above all its workspaces: by the context {@code
   * system:admin} of kcp's kubeconfig, else with a certificate of {@code system:masters}. Empty
   * where there is neither.
   */
  public Optional<Kubeconfig> shardAdmin() {
    Path file =
        switch (choice) {
          case KcpChoice.Sandbox(int _) -> kubeconfigOf("kcp");
          case KcpChoice.Existing(Path kubeconfig) -> kubeconfig;
        };
    return Kubeconfig.read(file, "system:admin")
        .or(() -> kcpUsers.flatMap(ServiceUsers::shardAdmin).map(kcp::withUser));
  }

  /** Who the service is for kcp; empty if it works with the administrator's rights. */
  public Optional<String> userInKcp(Program service) {
    return kcpUsers.map(users -> users.of(service).name());
  }

  /** Who the sync agent is for the service cluster. */
  public String userOnServiceCluster() {
    return serviceClusterUsers.of(Program.SYNC_AGENT).name();
  }

  /** What a server of the suite wrote to its log, line by line. */
  public List<String> serverLog(String name) {
    return OwnFiles.read(log(name)).lines().toList();
  }

  /** The administrator's way into the service cluster, once it answers. */
  public Kubeconfig awaitServiceCluster() {
    serviceCluster = awaitSandbox("service cluster");
    awaitReady("service cluster", serviceCluster);
    return serviceCluster;
  }

  /**
   * Launches the sync agent.
   *
   * @param provider workspace of the APIExport
   * @param endpointSlice of the APIExport, in the same workspace
   */
  public ServiceProcess launchSyncAgent(WorkspacePath provider, String endpointSlice) {
    Path toKcp = toKcp(Program.SYNC_AGENT, provider, "sync-agent");
    Path toCluster =
        serviceCluster
            .withUser(serviceClusterUsers.of(Program.SYNC_AGENT).credentials())
            .write(directory.resolve("sync-agent-service-cluster.kubeconfig"));
    return launch(
        Program.SYNC_AGENT,
        List.of(
            "--server.port=" + ports.agent(),
            "--mooring.sync-agent.kubeconfig=" + toCluster,
            "--mooring.sync-agent.kcp-kubeconfig=" + toKcp,
            "--mooring.sync-agent.namespace=default",
            "--mooring.sync-agent.apiexportendpointslice-ref=" + endpointSlice));
  }

  /** Has kcp send its reviews to this port, where something passes them on to the webhook. */
  public void reviewThrough(int port) {
    reviewPort = port;
  }

  /**
   * Launches the dependency controller.
   *
   * @param dependencies workspace of the APIExport of DependencyRules
   */
  public ServiceProcess launchController(WorkspacePath dependencies) {
    Path toKcp = toKcp(Program.DEPENDENCY_CONTROLLER, dependencies, "dependency-controller");
    return launch(
        Program.DEPENDENCY_CONTROLLER,
        List.of(
            "--server.port=" + ports.controller(),
            "--mooring.dependency-controller.kubeconfig=" + toKcp,
            "--mooring.dependency-controller.webhook-url=https://127.0.0.1:"
                + reviewPort
                + "/validate",
            "--mooring.dependency-controller.webhook-ca-bundle-path="
                + servingCertificate().authority(),
            "--mooring.dependency-controller.ca-check-period=1s"));
  }

  /** Launches the dependency webhook; see {@link #launchController}. */
  public ServiceProcess launchWebhook(WorkspacePath dependencies) {
    Path toKcp = toKcp(Program.DEPENDENCY_WEBHOOK, dependencies, "dependency-webhook");
    return launch(
        Program.DEPENDENCY_WEBHOOK,
        List.of(
            "--management.server.port=" + ports.webhook(),
            "--server.port=" + ports.admission(),
            "--mooring.dependency-webhook.kubeconfig=" + toKcp,
            "--mooring.dependency-webhook.tls-cert-dir=" + servingCertificate().directory()));
  }

  /**
   * Launches another process of a service that was launched before; the caller ends it.
   *
   * @param name of the process and its log
   * @param changes arguments by what stands before their {@code =}, in place of those that the
   *     first was launched with
   */
  public ServiceProcess launchReplica(Program program, String name, Map<String, String> changes) {
    return processes.start(
        name, java(program, changed(argumentsOf(program), changes)), Map.of(), log(name));
  }

  /** Launches a service again, with other arguments; it must have ended. */
  public ServiceProcess relaunch(Program program, Map<String, String> changes) {
    List<String> changed = changed(argumentsOf(program), changes);
    arguments.put(program, changed);
    return relaunch(program);
  }

  /**
   * Launches a service again with no argument but these, for as long as it runs; the next relaunch
   * is as before. It must have ended.
   */
  public ServiceProcess relaunchOnlyWith(Program program, List<String> only) {
    List<String> before = argumentsOf(program);
    arguments.put(program, List.copyOf(only));
    try {
      return relaunch(program);
    } finally {
      arguments.put(program, before);
    }
  }

  /** What a service was launched with last, by what stands before the {@code =}. */
  public String argument(Program program, String option) {
    return argumentsOf(program).stream()
        .filter(argument -> argument.startsWith(option + "="))
        .map(argument -> argument.substring(option.length() + 1))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(program.module() + " has no " + option));
  }

  /** What a service was launched with last. */
  public List<String> arguments(Program program) {
    var all = new ArrayList<>(argumentsOf(program));
    all.add(LOCAL);
    return all;
  }

  /** Answers 200 while the service does its work. */
  public URI readiness(Program program) {
    return health(program, "readiness");
  }

  private static List<String> changed(List<String> before, Map<String, String> changes) {
    var arguments = new ArrayList<>(before);
    changes.forEach((option, value) -> {
      arguments.removeIf(argument -> argument.startsWith(option + "="));
      arguments.add(option + "=" + value);
    });
    return List.copyOf(arguments);
  }

  /** Waits until a service says that it does its work: that its caches are filled. */
  public void awaitReady(Program program) {
    try (HttpProbe probe = HttpProbe.plain()) {
      awaitStatus(program.module(), probe, readiness(program));
    }
  }

  /** Waits until a service's process answers at all. */
  public void awaitAlive(Program program) {
    try (HttpProbe probe = HttpProbe.plain()) {
      awaitStatus(program.module(), probe, health(program, "liveness"));
    }
  }

  /** The process that runs the program now, or ran it last; it must have been launched. */
  public ServiceProcess service(Program program) {
    return Objects.requireNonNull(services.get(program), program.module());
  }

  private List<String> argumentsOf(Program program) {
    return Objects.requireNonNull(arguments.get(program), program.module());
  }

  /** Launches a service again as it was launched before; it must have ended. */
  public ServiceProcess relaunch(Program program) {
    ServiceProcess ended = service(program);
    if (ended.isAlive()) {
      throw new IllegalStateException("the " + program.module() + " has not ended");
    }
    ended.forgive();
    return launch(program, argumentsOf(program));
  }

  /**
   * Keeps the services running until this thread is interrupted or they are stopped: one that dies
   * is launched again, unless it keeps dying.
   *
   * @param notice receives what happened, in a sentence
   * @throws HarnessFailure if a cluster dies, for its content is lost, or a service keeps dying
   */
  public void superviseUntilInterrupted(Consumer<String> notice) {
    var restarts = new EnumMap<Program, Integer>(Program.class);
    while (!Thread.currentThread().isInterrupted()) {
      for (Program program : List.copyOf(services.keySet())) {
        ServiceProcess process = service(program);
        if (!process.isAlive()) {
          if (processes.isStopping()) {
            // It ended because it was stopped.
            return;
          }
          if (restarts.merge(program, 1, Integer::sum) > RESTARTS_MAX) {
            process.requireAlive();
          }
          notice.accept(process.epitaph() + " It is being started again.");
          relaunch(program);
        }
      }
      processes.requireAllAlive();
      LockSupport.parkNanos(SUPERVISION.toNanos());
    }
  }

  /** Fails if any process has died. */
  public void requireAllAlive() {
    processes.requireAllAlive();
  }

  @Override
  public void close() {
    processes.close();
  }

  private URI health(Program program, String group) {
    int port =
        switch (program) {
          case SYNC_AGENT -> ports.agent();
          case DEPENDENCY_CONTROLLER -> ports.controller();
          case DEPENDENCY_WEBHOOK -> ports.webhook();
          case SANDBOX -> throw new IllegalArgumentException("the sandbox has no actuator");
        };
    return URI.create("http://127.0.0.1:" + port + "/actuator/health/" + group);
  }

  private Path toKcp(Program service, WorkspacePath workspace, String name) {
    Kubeconfig admin = kcp.at(workspace);
    return kcpUsers
        .map(users -> admin.withUser(users.of(service).credentials()))
        .orElse(admin)
        .write(directory.resolve(name + "-kcp.kubeconfig"));
  }

  private ServingCertificate servingCertificate() {
    return ServingCertificate.in(directory.resolve("webhook-tls"), Instant.now());
  }

  private void launchSandbox(String name, int port, List<String> kind) {
    Path root = rootOf(name);
    try {
      // One left by an earlier run would be taken for this one's.
      Files.deleteIfExists(root.resolve("admin.kubeconfig"));
      Files.deleteIfExists(log(name));
    } catch (IOException e) {
      throw new HarnessFailure(
          "What an earlier run left of the " + name + " cannot be removed.", e);
    }
    var arguments =
        new ArrayList<>(
            List.of(
                "start",
                "--root-directory=" + root,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--client-ca-file=" + clientCaFile));
    arguments.addAll(kind);
    processes.start(name, java(Program.SANDBOX, arguments), Map.of(), log(name));
  }

  private Kubeconfig awaitSandbox(String name) {
    Path file = kubeconfigOf(name);
    Await.until(
        "the " + name + " has written " + file,
        START,
        processes::requireAllAlive,
        () -> Files.exists(file));
    return Kubeconfig.read(file);
  }

  private Path kubeconfigOf(String sandbox) {
    return rootOf(sandbox).resolve("admin.kubeconfig");
  }

  private Path rootOf(String sandbox) {
    return directory.resolve(sandbox.replace(' ', '-'));
  }

  private void awaitReady(String name, Kubeconfig kubeconfig) {
    URI server = kubeconfig.server();
    URI ready = URI.create(server.getScheme() + "://" + server.getRawAuthority() + "/readyz");
    try (HttpProbe probe = HttpProbe.of(kubeconfig)) {
      awaitStatus(name, probe, ready);
    }
  }

  private void awaitStatus(String name, HttpProbe probe, URI url) {
    Await.until(
        "the " + name + " answers " + url + " with 200",
        START,
        processes::requireAllAlive,
        () -> probe.status(url).filter(code -> code == 200).isPresent());
  }

  private ServiceProcess launch(Program program, List<String> arguments) {
    ServiceProcess process =
        processes.start(program.label(), java(program, arguments), Map.of(), log(program.label()));
    services.put(program, process);
    this.arguments.put(program, List.copyOf(arguments));
    return process;
  }

  private List<String> java(Program program, List<String> arguments) {
    var all = new ArrayList<>(arguments);
    if (program != Program.SANDBOX) {
      all.add(LOCAL);
    }
    return layout.command(program, all);
  }

  private Path log(String name) {
    return directory.resolve("logs").resolve(name.replace(' ', '-') + ".log");
  }
}
