package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.Chart;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Await;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.OwnFiles;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Services that read their configuration from the API server, as the chart configures them: the
 * environment of its Deployment, a token of its ServiceAccount, and the rights of its Role alone.
 */
@Tag("full")
class ConfigSourceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final String NAMESPACE = "mooring-system";
  private static final String SECRET_VALUE = "a-secret-value";
  private static final ResourceType CONFIG_MAPS = ResourceType.core("configmaps");
  private static final ResourceType ACCOUNTS = ResourceType.core("serviceaccounts");
  private static final ResourceType ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "roles");

  @TempDir Path directory;
  private KubeSandbox cluster;
  private KubeConnection connection;
  private KubeClient client;
  private HttpProbe probe;

  @BeforeEach
  void startCluster() {
    cluster = KubeSandbox.start(KubeOptions.in(directory.resolve("cluster")));
    connection =
        KubeConnection.fromKubeconfig(cluster.kubeconfigFile(), ConnectionOptions.of("test"));
    client = connection.client();
    client.create(Types.NAMESPACES, object("v1", "Namespace", "", NAMESPACE));
    probe = HttpProbe.plain();
  }

  @AfterEach
  void stopCluster() {
    probe.close();
    connection.close();
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Program.class,
      names = {"SYNC_AGENT", "DEPENDENCY_CONTROLLER", "DEPENDENCY_WEBHOOK"})
  void readsConfigMapAndSecretOfItsNameAndOfItsProfile(Program program) {
    Service service = service(program);
    service.install();
    client.create(
        CONFIG_MAPS,
        object("v1", "ConfigMap", NAMESPACE, service.name + "-prod")
            .with("logging.level.dev.mooring.model: DEBUG", "data", "application.yaml"));
    client.create(
        Types.SECRETS,
        object("v1", "Secret", NAMESPACE, service.name)
            .with(base64("false"), "data", "mooring." + service.label + ".endpoint-auth")
            .with(base64("*"), "data", "management.endpoints.web.exposure.include")
            .with(base64("TRACE"), "data", "logging.level.dev.mooring.runtime")
            .with(base64(SECRET_VALUE), "data", "example.password"));

    try (ServiceProcess process = service.start(service.token())) {
      service.awaitAlive(process);

      assertThat(service.level("dev.mooring.languages")).as("<name>").contains("\"ERROR\"");
      assertThat(service.level("dev.mooring.model")).as("<name>-prod").contains("\"DEBUG\"");
      assertThat(service.level("dev.mooring.runtime")).as("Secret").contains("\"TRACE\"");
      assertThat(service.get("env")).contains("example.password").doesNotContain(SECRET_VALUE);
      assertThat(OwnFiles.read(process.log())).doesNotContain(SECRET_VALUE);
    }
  }

  @Test
  void readsConfigMapsThatSourcesName() {
    Service service = service(Program.DEPENDENCY_WEBHOOK);
    service.install();
    client.patch(
        ROLES,
        NAMESPACE,
        service.name + "-config",
        Map.of(
            "rules",
            List.of(
                Map.of(
                    "apiGroups", List.of(""),
                    "resources", List.of("configmaps", "secrets"),
                    "verbs", List.of("get", "list")))));
    client.create(
        CONFIG_MAPS,
        object("v1", "ConfigMap", NAMESPACE, "shared")
            .with("logging.level.dev.mooring.model: DEBUG", "data", "application.yaml"));

    try (ServiceProcess process =
        service.start(
            service.token(),
            Map.of(
                "SPRING_CLOUD_KUBERNETES_CONFIG_SOURCES_0_NAME", "shared",
                "MOORING_DEPENDENCYWEBHOOK_ENDPOINTAUTH", "false",
                "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "*"))) {
      service.awaitAlive(process);

      assertThat(service.level("dev.mooring.model")).contains("\"DEBUG\"");
    }
  }

  @Test
  void doesNotStartWithoutTheRightToReadItsConfiguration() {
    Service service = service(Program.DEPENDENCY_WEBHOOK);
    service.install();
    client.delete(
        new ResourceType("rbac.authorization.k8s.io", "v1", "rolebindings"),
        NAMESPACE,
        service.name + "-config",
        new DeleteCondition.Unconditional());

    assertThat(service.failure(service.token()))
        .contains("The configuration was not read from the API server")
        .contains("secrets \"" + service.name + "\" is forbidden")
        .doesNotContain("\tat ");
  }

  @Test
  void doesNotStartWithoutTheApiServer() {
    Service service = service(Program.DEPENDENCY_WEBHOOK);
    service.install();
    Path token = service.token();
    cluster.close();

    assertThat(service.failure(token))
        .contains("The configuration was not read from the API server")
        .doesNotContain("\tat ");
  }

  private Service service(Program program) {
    String label = program.module().replace("-service", "");
    List<KubeObject> objects =
        Chart.render(
            Chart.ALL_SERVICES,
            "pods: {configSource: kubernetes}",
            "dependencyController: {webhook: {caSecret: ''}}",
            "{syncAgent: &a {properties: {logging: {level: {dev.mooring.languages: ERROR}}}},"
                + " dependencyController: *a, dependencyWebhook: *a}");
    return new Service(program, label, objects);
  }

  /** One service of the release. */
  private final class Service {
    private final Program program;
    private final String label;
    private final List<KubeObject> objects;
    private final KubeObject deployment;
    private final String name;
    private final int management = ComposeProject.freePort();

    Service(Program program, String label, List<KubeObject> objects) {
      this.program = program;
      this.label = label;
      this.objects = objects;
      this.deployment = Chart.named(objects, "Deployment", label);
      this.name = deployment.name();
    }

    /** What the release contains for it, but for what this cluster has no types of. */
    void install() {
      Map<String, ResourceType> types =
          Map.of(
              "ConfigMap",
              CONFIG_MAPS,
              "ServiceAccount",
              ACCOUNTS,
              "Role",
              ROLES,
              "RoleBinding",
              new ResourceType("rbac.authorization.k8s.io", "v1", "rolebindings"));
      objects.stream()
          .filter(object -> object.name().equals(name) || object.name().equals(name + "-config"))
          .filter(object -> types.containsKey(object.kind()))
          // The agent's own Role lets it read every Secret.
          .filter(object -> !object.kind().startsWith("Role") || object.name().endsWith("-config"))
          .forEach(object -> client.create(types.get(object.kind()), object));
    }

    /** A kubeconfig with a token of its ServiceAccount. */
    Path token() {
      client.create(
          Types.SECRETS,
          object("v1", "Secret", NAMESPACE, name + "-token")
              .with(name, "metadata", "annotations", "kubernetes.io/service-account.name")
              .with("kubernetes.io/service-account-token", "type"));
      String token =
          Await.answer(
              "the token of " + name,
              PATIENCE,
              () -> {},
              () ->
                  client
                      .find(Types.SECRETS, NAMESPACE, name + "-token")
                      .map(secret -> secret.text("data", "token"))
                      .filter(data -> !data.isEmpty()));
      String plain = new String(Base64.getDecoder().decode(token), StandardCharsets.US_ASCII);
      return Kubeconfig.read(cluster.kubeconfigFile())
          .withUser(Map.of("token", plain))
          .write(directory.resolve(name + ".kubeconfig"));
    }

    ServiceProcess start(Path kubeconfig) {
      return start(kubeconfig, Map.of());
    }

    /** With the environment of its container, and more. */
    ServiceProcess start(Path kubeconfig, Map<String, String> more) {
      var environment = new HashMap<>(more);
      Object container =
          Trees.listOrEmpty(deployment.at("spec", "template", "spec", "containers")).getFirst();
      for (Object variable : Trees.listOrEmpty(Trees.at(container, "env"))) {
        environment.put(
            Trees.textOrEmpty(Trees.at(variable, "name")),
            Trees.textOrEmpty(Trees.at(variable, "value")));
      }
      environment.remove("JAVA_TOOL_OPTIONS");
      environment.put("KUBECONFIG", kubeconfig.toString());
      environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
      String prefix = "MOORING_" + label.replace("-", "").toUpperCase(Locale.ROOT) + "_";
      if (program == Program.SYNC_AGENT) {
        environment.put(prefix + "KCPKUBECONFIG", noServer().toString());
      } else {
        environment.put(prefix + "KUBECONFIG", noServer().toString());
      }
      if (program == Program.DEPENDENCY_WEBHOOK) {
        environment.put(
            prefix + "TLSCERTDIR",
            ServingCertificate.in(directory.resolve(name + "-tls"), Instant.now())
                .directory()
                .toString());
        environment.put("SERVER_PORT", Integer.toString(ComposeProject.freePort()));
        environment.put("MANAGEMENT_SERVER_PORT", Integer.toString(management));
      } else {
        environment.put("SERVER_PORT", Integer.toString(management));
      }
      return ServiceProcess.start(
          name,
          Jars.command(Chart.LAYOUT, program, List.of()),
          environment,
          directory.resolve(name + ".log"));
    }

    /** The log of a service that has to end by itself. */
    String failure(Path kubeconfig) {
      try (ServiceProcess process = start(kubeconfig)) {
        Await.until(name + " has ended", PATIENCE, () -> {}, () -> !process.isAlive());
        assertThat(process.epitaph()).contains("exit status 1");
        return OwnFiles.read(process.log());
      }
    }

    void awaitAlive(ServiceProcess process) {
      Await.until(
          name + " is alive",
          PATIENCE,
          process::requireAlive,
          () -> probe.status(url("health/liveness")).filter(status -> status == 200).isPresent());
    }

    String level(String logger) {
      return get("loggers/" + logger);
    }

    String get(String path) {
      return probe.body(url(path)).orElse("");
    }

    private URI url(String path) {
      return URI.create("http://127.0.0.1:" + management + "/actuator/" + path);
    }
  }

  /** Of a kcp that does not answer: liveness does not depend on one. */
  private Path noServer() {
    Kubeconfig here = Kubeconfig.read(cluster.kubeconfigFile());
    return here.at(URI.create("https://127.0.0.1:1/clusters/root"))
        .withUser(Map.of("token", "none"))
        .write(directory.resolve("kcp.kubeconfig"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static KubeObject object(String apiVersion, String kind, String namespace, String name) {
    var metadata = new HashMap<String, Object>(Map.of("name", name));
    Optional.of(namespace)
        .filter(text -> !text.isEmpty())
        .ifPresent(n -> metadata.put("namespace", n));
    return KubeObject.of(Map.of("apiVersion", apiVersion, "kind", kind, "metadata", metadata));
  }
}
