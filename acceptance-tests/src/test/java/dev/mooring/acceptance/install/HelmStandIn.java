package dev.mooring.acceptance.install;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.ProcessGroup;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * {@code helm} and {@code kubectl port-forward} for a service cluster without nodes. Charts are
 * rendered by Helm's own engine; what the cluster serves is created there; a Deployment is one
 * process of the image's jar with the rendered environment, the rendered ConfigMap and the
 * cluster's Secrets in directories, and a token of its ServiceAccount. Ports are free ones of
 * loopback.
 */
final class HelmStandIn implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(240);
  private static final Duration COMMAND = Duration.ofSeconds(60);

  /** The one of the cluster that the chart is rendered for; the engine's own is old. */
  private static final String KUBE_VERSION = "1.34.0";

  /** What works on Pods, which are not there. */
  private static final Set<String> OF_PODS =
      Set.of("Deployment", "NetworkPolicy", "PodDisruptionBudget", "ServiceMonitor");

  private record Pod(ServiceProcess process, URI readiness) {}

  private record Release(Path manifest, Map<String, Pod> pods, List<KubeObject> objects) {}

  private final ProjectLayout layout;
  private final Path directory;
  private final Path clusterKubeconfig;
  private final ProcessGroup processes = new ProcessGroup();
  private final Map<String, Release> releases = new LinkedHashMap<>();
  private final Map<Integer, Integer> managementPorts = new HashMap<>();
  private final HttpServer server;

  /**
   * @param clusterKubeconfig of an administrator of the service cluster
   */
  HelmStandIn(ProjectLayout layout, Path directory, Path clusterKubeconfig) {
    this.layout = layout;
    this.directory = directory;
    this.clusterKubeconfig = clusterKubeconfig;
    for (int port : List.of(8085, 8086, 8087)) {
      managementPorts.put(port, ComposeProject.freePort());
    }
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/helm", exchange -> answer(exchange, this::helm));
    server.createContext("/port-forward", exchange -> answer(exchange, this::portForward));
    server.start();
  }

  Path clusterKubeconfig() {
    return clusterKubeconfig;
  }

  /** A directory for the front of PATH, with {@code helm} and {@code kubectl}. */
  Path bin() {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    String post =
        "printf '%s\\0' \"$@\" | curl --silent --show-error --fail-with-body --data-binary @- "
            + url;
    script("helm", "#!/usr/bin/env bash\nset -o pipefail\n" + post + "/helm\n");
    String kubectl =
        Shell.run(List.of("bash", "-c", "command -v kubectl"), Map.of(), layout.root(), COMMAND)
            .output()
            .strip();
    script(
        "kubectl",
        "#!/usr/bin/env bash\n"
            + "for argument in \"$@\"; do\n"
            + "  if [[ $argument == port-forward ]]; then "
            + post
            + "/port-forward; exit; fi\n"
            + "done\n"
            + "exec "
            + kubectl
            + " \"$@\"\n");
    return directory.resolve("bin");
  }

  /** Fails with the end of its log if a process has ended that was not asked to. */
  void requireAllAlive() {
    processes.requireAllAlive();
  }

  /** The text with management ports as they are here. */
  String mapped(String text) {
    String mapped = text;
    for (var port : managementPorts.entrySet()) {
      mapped = mapped.replace("127.0.0.1:" + port.getKey(), "127.0.0.1:" + port.getValue());
    }
    return mapped;
  }

  @Override
  public void close() {
    server.stop(0);
    processes.close();
  }

  private interface Command {
    String run(List<String> arguments);
  }

  private static void answer(HttpExchange exchange, Command command) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    int status = 200;
    String output;
    try {
      output = command.run(List.of(body.split("\0")));
    } catch (RuntimeException e) {
      status = 500;
      output = "Error: " + e.getMessage() + "\n";
    }
    byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized String helm(List<String> arguments) {
    var words = new ArrayList<String>();
    var options = new HashMap<String, String>();
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--wait", "--create-namespace" -> options.put(arguments.get(i), "");
        case "-n", "--kubeconfig", "--values", "--set" ->
            options.put(arguments.get(i), arguments.get(++i));
        default -> words.add(arguments.get(i));
      }
    }
    String namespace = options.get("-n");
    if (words.getFirst().equals("template") && words.size() == 3) {
      String[] set = options.get("--set").split("=", 2);
      return template(words.get(1), words.get(2), namespace, options.get("--values"))
          .set(set[0], set[1])
          .call();
    }
    if (List.of("install", "upgrade").contains(words.getFirst()) && words.size() == 3) {
      Optional.ofNullable(releases.get(words.get(1)))
          .ifPresent(before -> before.pods().values().forEach(pod -> pod.process().close()));
      install(words.get(1), words.get(2), namespace, options.get("--values"));
      if (options.containsKey("--wait")) {
        releases.get(words.get(1)).pods().values().forEach(HelmStandIn::awaitReady);
      }
      return "NAME: " + words.get(1) + "\nNAMESPACE: " + namespace + "\nSTATUS: deployed\n";
    }
    if (words.getFirst().equals("uninstall")) {
      words.stream().skip(1).forEach(this::uninstall);
      return words.stream()
          .skip(1)
          .map(name -> "release \"" + name + "\" uninstalled\n")
          .reduce("", String::concat);
    }
    throw new HarnessFailure(
        "this stand-in for helm does not know: helm " + String.join(" ", arguments));
  }

  private TemplateCommand template(String name, String chart, String namespace, String values) {
    return new Helm(layout.root().resolve(chart))
        .template()
        .withName(name)
        .withNamespace(namespace)
        .withKubeVersion(KUBE_VERSION)
        .withValuesFile(Path.of(values));
  }

  private void install(String name, String chart, String namespace, String values) {
    Path manifest = directory.resolve(name + ".yaml");
    OwnFiles.write(manifest, template(name, chart, namespace, values).call());
    List<KubeObject> objects = Manifests.ofFile(manifest);
    OwnFiles.write(
        manifest,
        Manifests.render(
            objects.stream().filter(object -> !OF_PODS.contains(object.kind())).toList()));
    kubectl("apply", "--server-side", "-f", manifest.toString());
    var pods = new LinkedHashMap<String, Pod>();
    int admission = 0;
    for (KubeObject object : objects) {
      if ("LoadBalancer".equals(object.at("spec", "type"))) {
        admission = balance(object, namespace);
      }
    }
    for (KubeObject object : objects) {
      if (object.kind().equals("Deployment") && hasSecrets(object, namespace)) {
        pods.put(object.name(), start(object, namespace, admission));
      }
    }
    releases.put(name, new Release(manifest, pods, objects));
  }

  /** A Pod waits for Secrets; here it is started by the next upgrade. */
  private boolean hasSecrets(KubeObject deployment, String namespace) {
    return deployment.list("spec", "template", "spec", "volumes").stream()
        .map(volume -> Trees.textOrEmpty(Trees.at(volume, "secret", "secretName")))
        .filter(secret -> !secret.isEmpty())
        .noneMatch(secret ->
            kubectl("-n", namespace, "get", "secret", secret, "--ignore-not-found").isEmpty());
  }

  private void uninstall(String name) {
    Release release = releases.remove(name);
    release.pods().values().forEach(pod -> pod.process().close());
    // Helm leaves what carries helm.sh/resource-policy: keep.
    Path manifest = directory.resolve(name + "-uninstall.yaml");
    OwnFiles.write(
        manifest,
        Manifests.render(
            Manifests.ofFile(release.manifest()).stream()
                .filter(object ->
                    !"keep".equals(object.at("metadata", "annotations", "helm.sh/resource-policy")))
                .toList()));
    kubectl("delete", "--wait=false", "-f", manifest.toString());
  }

  /** What a cloud's controller does for the Service; returns the port of the balancer. */
  private int balance(KubeObject service, String namespace) {
    kubectl(
        "-n",
        namespace,
        "patch",
        "service",
        service.name(),
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\": {\"loadBalancer\": {\"ingress\": [{\"ip\": \"127.0.0.1\"}]}}}");
    return Integer.parseInt(Trees.at(service.list("spec", "ports").getFirst(), "port").toString());
  }

  private Pod start(KubeObject deployment, String namespace, int admissionPort) {
    Path home = directory.resolve("pods").resolve(deployment.name());
    Map<String, Object> pod = deployment.map("spec", "template", "spec");
    Map<String, Object> container =
        Trees.mapOrEmpty(Trees.listOrEmpty(pod.get("containers")).getFirst());
    var volumes = new HashMap<String, Path>();
    for (Object volume : Trees.listOrEmpty(pod.get("volumes"))) {
      String name = Trees.textOrEmpty(Trees.at(volume, "name"));
      volumes.put(name, volume(Trees.mapOrEmpty(volume), namespace, home.resolve(name)));
    }
    var mounts = new HashMap<String, Path>();
    for (Object mount : Trees.listOrEmpty(container.get("volumeMounts"))) {
      mounts.put(
          Trees.textOrEmpty(Trees.at(mount, "mountPath")),
          volumes.get(Trees.textOrEmpty(Trees.at(mount, "name"))));
    }
    var mapping = new Mapping(mounts, Map.of());
    // What is configured names paths of the container.
    for (Path mounted : mounts.values()) {
      files(mounted)
          .filter(file -> file.toString().endsWith("application.yaml"))
          .forEach(file -> OwnFiles.write(file, mapping.apply(OwnFiles.read(file))));
    }
    var environment = new HashMap<String, String>();
    for (Object variable : Trees.listOrEmpty(container.get("env"))) {
      environment.put(
          Trees.textOrEmpty(Trees.at(variable, "name")),
          mapping.apply(Trees.textOrEmpty(Trees.at(variable, "value"))));
    }
    if (!Boolean.FALSE.equals(pod.get("automountServiceAccountToken"))) {
      environment.put(
          "KUBECONFIG",
          serviceAccount(Trees.textOrEmpty(pod.get("serviceAccountName")), namespace, home)
              .toString());
    }
    String image = Trees.textOrEmpty(container.get("image"));
    Program program =
        Stream.of(Program.values())
            .filter(candidate ->
                image.matches(".*/" + candidate.module().replace("-service", "") + "[:@].*"))
            .findFirst()
            .orElseThrow(() -> new HarnessFailure("image " + image + " is none of this project"));
    int management =
        managementPorts.get(
            Trees.at(Trees.listOrEmpty(container.get("ports")).getFirst(), "containerPort")
                    instanceof Number port
                ? port.intValue()
                : 0);
    boolean webhook = program == Program.DEPENDENCY_WEBHOOK;
    environment.put("SERVER_PORT", Integer.toString(webhook ? admissionPort : management));
    if (webhook) {
      environment.put("MANAGEMENT_SERVER_PORT", Integer.toString(management));
    }
    String readiness = Trees.textOrEmpty(Trees.at(container, "readinessProbe", "httpGet", "path"));
    return new Pod(
        processes.start(
            deployment.name(),
            Jars.command(layout, program, List.of()),
            environment,
            directory.resolve(deployment.name() + ".log")),
        URI.create("http://127.0.0.1:" + management + readiness));
  }

  private Path volume(Map<String, Object> volume, String namespace, Path directory) {
    Object secret = volume.get("secret");
    Object configMap = volume.get("configMap");
    Object source = secret == null ? configMap : secret;
    if (source == null) {
      return OwnFiles.directory(directory);
    }
    String name = Trees.textOrEmpty(Trees.at(source, secret == null ? "name" : "secretName"));
    Path got = directory.resolveSibling(directory.getFileName() + ".yaml");
    OwnFiles.write(
        got,
        kubectl(
            "-n", namespace, "get", secret == null ? "configmap" : "secret", name, "-o", "yaml"));
    KubeObject object = Manifests.ofFile(got).getFirst();
    var paths = new HashMap<String, String>();
    for (Object item : Trees.listOrEmpty(Trees.at(source, "items"))) {
      paths.put(
          Trees.textOrEmpty(Trees.at(item, "key")), Trees.textOrEmpty(Trees.at(item, "path")));
    }
    object
        .map("data")
        .forEach((key, value) -> {
          if (paths.isEmpty() || paths.containsKey(key)) {
            byte[] content =
                secret == null
                    ? value.toString().getBytes(StandardCharsets.UTF_8)
                    : Base64.getDecoder().decode(value.toString());
            OwnFiles.write(
                directory.resolve(paths.getOrDefault(key, key)),
                new String(content, StandardCharsets.UTF_8));
          }
        });
    return OwnFiles.directory(directory);
  }

  /** A kubeconfig with a token of the Pod's ServiceAccount, in place of what a kubelet mounts. */
  private Path serviceAccount(String name, String namespace, Path home) {
    String token = kubectl("-n", namespace, "create", "token", name).strip();
    Path file = home.resolve("serviceaccount.kubeconfig");
    OwnFiles.write(file, kubectl("config", "view", "--raw", "--minify", "--flatten"));
    Shell.Result result =
        Shell.run(
            List.of(
                "bash",
                "-c",
                """
                set -e
                kubectl --kubeconfig "$0" config set-credentials pod --token="$1"
                kubectl --kubeconfig "$0" config set-context --current --user=pod
                """,
                file.toString(),
                token),
            Map.of(),
            directory,
            COMMAND);
    require(result);
    return file;
  }

  private synchronized String portForward(List<String> arguments) {
    String service =
        arguments.stream()
            .filter(argument -> argument.startsWith("service/"))
            .findFirst()
            .orElseThrow(() -> new HarnessFailure("port-forward: name a service"))
            .substring("service/".length());
    boolean served =
        releases.values().stream()
            .flatMap(release -> release.objects().stream())
            .filter(object -> object.kind().equals("Service") && object.name().equals(service))
            .flatMap(object -> object.list("spec", "ports").stream())
            .anyMatch(port -> Trees.at(port, "port").toString().equals(arguments.getLast()));
    if (!served) {
      throw new HarnessFailure(
          "there is no Service " + service + " with port " + arguments.getLast());
    }
    return "";
  }

  private static void awaitReady(Pod pod) {
    try (HttpProbe probe = HttpProbe.plain()) {
      Await.until(
          pod.process().name() + " is ready",
          START,
          pod.process()::requireAlive,
          () -> probe.status(pod.readiness()).filter(status -> status == 200).isPresent());
    }
  }

  private String kubectl(String... arguments) {
    Shell.Result result =
        Shell.run(
            Stream.concat(
                    Stream.of("kubectl", "--kubeconfig=" + clusterKubeconfig), Stream.of(arguments))
                .toList(),
            Map.of(),
            layout.root(),
            COMMAND);
    require(result);
    return result.output();
  }

  private static void require(Shell.Result result) {
    if (result.status() != 0) {
      throw new HarnessFailure(result.output());
    }
  }

  private void script(String name, String text) {
    Path file = directory.resolve("bin").resolve(name);
    OwnFiles.write(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new HarnessFailure(file + " cannot be made executable");
    }
  }

  private static Stream<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
