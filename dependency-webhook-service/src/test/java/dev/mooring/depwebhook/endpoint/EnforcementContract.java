package dev.mooring.depwebhook.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Deletions in consumers' workspaces, on whatever kcp a subclass starts or finds: the service as it
 * runs, over HTTPS, with a configuration in the provider's workspace as the controller makes it.
 */
abstract class EnforcementContract {
  private static final Path KCP =
      Path.of("../dependency-controller-service/src/main/resources/kcp");
  private static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";
  private static final String DENIED = "admission webhook \"" + WEBHOOK + "\" denied the request: ";
  private static final ResourceType VPCS = network("v1alpha1", "vpcs");
  private static final ResourceType VPCS_V1BETA1 = network("v1beta1", "vpcs");
  private static final ResourceType REGIONS = network("v1alpha1", "regions");
  private static final ResourceType MACHINES = compute("virtualmachines");
  private static final ResourceType GATEWAYS = compute("gateways");
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");

  @TempDir static Path files;

  private static TestWorkspaces workspaces;
  private static ConfigurableApplicationContext service;
  private static WorkspacePath dependencies;
  private static WorkspacePath network;
  private static WorkspacePath compute;
  private static WorkspacePath consumer;
  private static WorkspacePath other;

  /** To be called before all tests. */
  static void enter(Path kubeconfig) throws Exception {
    workspaces = TestWorkspaces.on(kubeconfig);
    dependencies = workspaces.create("dw-deps");
    network = workspaces.create("dw-network");
    compute = workspaces.create("dw-compute");
    consumer = workspaces.create("dw-consumer");
    other = workspaces.create("dw-other");
    workspaces.create(dependencies, KCP.resolve("apiresourceschema.yaml"));
    workspaces.create(dependencies, KCP.resolve("apiexport.yaml"));
    KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
    workspaces.bind(
        compute, binding.with(dependencies.value(), "spec", "reference", "export", "path"));
    export(network, "network.example.com", VPCS, VPCS_V1BETA1, REGIONS);
    export(compute, "compute.example.com", MACHINES, GATEWAYS);
    for (WorkspacePath each : List.of(consumer, other)) {
      workspaces.bind(each, binding(network, "network.example.com"));
      workspaces.bind(each, binding(compute, "compute.example.com"));
    }
    rule("machines-need", MACHINES, "VirtualMachine", "vpcs", "regions");
    rule("gateways-need", GATEWAYS, "Gateway", "vpcs", "regions");
    serve();
    guard();
  }

  @AfterAll
  static void leave() {
    if (service != null) {
      service.close();
      service = null;
    }
    if (workspaces != null) {
      workspaces.close();
      workspaces = null;
    }
  }

  @Test
  void refusesUntilTheLastReferrerIsGone() {
    create(VPCS, "default", "shared", "");
    create(MACHINES, "default", "vm1", "shared");
    create(MACHINES, "default", "vm2", "shared");
    assertRefused(
        VPCS,
        "shared",
        "cannot delete vpcs/shared: still referenced by VirtualMachine/vm1, VirtualMachine/vm2");

    delete(MACHINES, "default", "vm1");
    assertRefused(
        VPCS, "shared", "cannot delete vpcs/shared: still referenced by VirtualMachine/vm2");

    delete(MACHINES, "default", "vm2");
    delete(VPCS, "default", "shared");
    assertThat(exists(VPCS, "default", "shared")).isFalse();
  }

  @Test
  void refusesInEveryVersionOfTheTarget() {
    create(VPCS, "default", "versioned", "");
    create(MACHINES, "default", "vm-versioned", "versioned");

    assertRefused(
        VPCS_V1BETA1,
        "versioned",
        "cannot delete vpcs/versioned: still referenced by VirtualMachine/vm-versioned");
  }

  @Test
  void refusesANamespacedTargetOfAClusterScopedReferrer() {
    create(VPCS, "default", "gated", "");
    create(GATEWAYS, "", "gw1", "gated");

    assertRefused(VPCS, "gated", "cannot delete vpcs/gated: still referenced by Gateway/gw1");
  }

  @Test
  void refusesAClusterScopedTargetOfReferrersInAnyNamespace() {
    create(REGIONS, "", "north", "");
    create(MACHINES, "default", "vm-north", "north");
    create(GATEWAYS, "", "gw-north", "north");

    assertThat(refusal(REGIONS, "", "north"))
        .isEqualTo(
            DENIED
                + "cannot delete regions/north: still referenced by"
                + " Gateway/gw-north, VirtualMachine/default/vm-north");
  }

  @Test
  void anotherConsumersObjectsAreNoReferrers() {
    create(VPCS, "default", "lonely", "");
    create(other, MACHINES, "default", "vm-elsewhere", "lonely");

    delete(VPCS, "default", "lonely");

    assertThat(exists(VPCS, "default", "lonely")).isFalse();
  }

  @Test
  void letsGoOfWhatIsAnnotatedToSkipProtection() {
    create(VPCS, "default", "skipped", "");
    create(MACHINES, "default", "vm-skipped", "skipped");
    assertRefused(
        VPCS,
        "skipped",
        "cannot delete vpcs/skipped: still referenced by VirtualMachine/vm-skipped");

    workspaces
        .client(consumer)
        .patch(
            VPCS,
            "default",
            "skipped",
            Map.of(
                "metadata", Map.of("annotations", Map.of(DependencyRule.SKIP_PROTECTION, "true"))));
    delete(VPCS, "default", "skipped");

    assertThat(exists(VPCS, "default", "skipped")).isFalse();
  }

  @Test
  void aRogueRuleDoesNotMakeObjectsBlockThemselves() {
    rule("rogue", VPCS, "VPC", ".spec.self.name", "vpcs");
    awaitRules(3);
    create(VPCS, "default", "innocent", "");
    workspaces
        .client(consumer)
        .patch(
            VPCS,
            "default",
            "innocent",
            Map.of("spec", Map.of("self", Map.of("name", "innocent"))));

    delete(VPCS, "default", "innocent");

    assertThat(exists(VPCS, "default", "innocent")).isFalse();
  }

  private static void assertRefused(ResourceType type, String name, String message) {
    assertThat(refusal(type, "default", name)).isEqualTo(DENIED + message);
    assertThat(exists(type, "default", name)).isTrue();
  }

  private static String refusal(ResourceType type, String namespace, String name) {
    try {
      delete(type, namespace, name);
      throw new AssertionError(type + " " + name + " was deleted");
    } catch (KubeFailure failure) {
      assertThat(failure.code()).as(failure.getMessage()).isEqualTo(403);
      return failure.getMessage().substring(failure.getMessage().indexOf("admission webhook"));
    }
  }

  private static void delete(ResourceType type, String namespace, String name) {
    workspaces.client(consumer).delete(type, namespace, name, new DeleteCondition.Unconditional());
  }

  private static boolean exists(ResourceType type, String namespace, String name) {
    return workspaces.client(consumer).find(type, namespace, name).isPresent();
  }

  private static void create(ResourceType type, String namespace, String name, String refersTo) {
    create(consumer, type, namespace, name, refersTo);
  }

  private static void create(
      WorkspacePath in, ResourceType type, String namespace, String name, String refersTo) {
    KubeObject object =
        KubeObject.of(
            Map.of(
                "apiVersion", type.apiVersion(),
                "kind", kind(type),
                "metadata", Map.of("name", name),
                "spec", Map.of("ref", Map.of("name", refersTo))));
    workspaces.create(
        in, type, namespace.isEmpty() ? object : object.with(namespace, "metadata", "namespace"));
  }

  private static void rule(String name, ResourceType dependent, String kind, String... targets) {
    var paths = targets[0].startsWith(".") ? targets[0] : ".spec.ref.name";
    var on =
        Arrays.stream(targets)
            .filter(target -> !target.startsWith("."))
            .map(target ->
                Map.of(
                    "apiExportRef",
                    Map.of("path", network.value(), "name", "network.example.com"),
                    "group",
                    "network.example.com",
                    "version",
                    "v1alpha1",
                    "resource",
                    target,
                    "fieldRef",
                    Map.of("path", paths)))
            .toList();
    workspaces.create(
        compute,
        DependencyRule.TYPE,
        KubeObject.of(
            Map.of(
                "apiVersion", DependencyRule.TYPE.apiVersion(),
                "kind", DependencyRule.KIND,
                "metadata", Map.of("name", name),
                "spec",
                    Map.of(
                        "dependent",
                        Map.of(
                            "apiExportName", "compute.example.com",
                            "group", dependent.group(),
                            "version", dependent.version(),
                            "kind", kind,
                            "resource", dependent.resource()),
                        "dependencies",
                        on))));
  }

  private static void serve() throws Exception {
    TestCertificate certificate = TestCertificate.forLocalhost(files.resolve("tls"));
    Path kubeconfig = workspaces.kubeconfigFor(dependencies, files.resolve("kubeconfig"));
    service =
        new SpringApplicationBuilder(DependencyWebhookApplication.class)
            .profiles("local")
            .run(
                "--server.port=0",
                "--management.server.port=0",
                "--tls-cert-dir=" + certificate.directory(),
                "--kubeconfig=" + kubeconfig);
    awaitRules(2);
  }

  private static void awaitRules(Integer count) {
    RulesHealth health = service.getBean(RulesHealth.class);
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> count.equals(health.health().getDetails().get("rules")));
  }

  private static void guard() throws Exception {
    int port = ((ServletWebServerApplicationContext) service).getWebServer().getPort();
    byte[] ca = Files.readAllBytes(files.resolve("tls/ca.crt"));
    var entry =
        Map.of(
            "name", WEBHOOK,
            "clientConfig",
                Map.of(
                    "url",
                    "https://127.0.0.1:" + port + "/validate/" + workspaces.cluster(network),
                    "caBundle",
                    Base64.getEncoder().encodeToString(ca)),
            "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of("network.example.com"),
                        "apiVersions", List.of("*"),
                        "operations", List.of("DELETE"),
                        "resources", List.of("vpcs", "regions"))),
            "sideEffects", "None",
            "admissionReviewVersions", List.of("v1"));
    workspaces.create(
        network,
        CONFIGURATIONS,
        KubeObject.of(
            Map.of(
                "apiVersion", CONFIGURATIONS.apiVersion(),
                "kind", "ValidatingWebhookConfiguration",
                "metadata", Map.of("name", "dependency-controller"),
                "webhooks", List.of(entry))));
    create(VPCS, "default", "canary", "");
    create(MACHINES, "default", "vm-canary", "canary");
    // API servers take up a new configuration after a moment.
    await().atMost(TestWorkspaces.PATIENCE).until(EnforcementContract::canaryIsGuarded);
  }

  private static boolean canaryIsGuarded() {
    if (!exists(VPCS, "default", "canary")) {
      create(VPCS, "default", "canary", "");
    }
    try {
      delete(VPCS, "default", "canary");
      return false;
    } catch (KubeFailure failure) {
      return failure.code() == 403;
    }
  }

  private static void export(WorkspacePath provider, String group, ResourceType... types) {
    var yaml = new StringBuilder();
    var resources = new StringBuilder();
    for (ResourceType type : types) {
      if (type.version().equals("v1beta1")) {
        continue; // served beside v1alpha1, by one schema
      }
      boolean two = List.of(types).contains(VPCS_V1BETA1) && type.equals(VPCS);
      yaml.append(schema(type, two ? List.of("v1alpha1", "v1beta1") : List.of("v1alpha1")));
      resources.append(
          "  - {group: %s, name: %s, schema: v1.%s, storage: {crd: {}}}\n"
              .formatted(group, type.resource(), type.qualified()));
    }
    yaml.append(
        """
        ---
        apiVersion: apis.kcp.io/v1alpha2
        kind: APIExport
        metadata: {name: %s}
        spec:
          resources:
        %s\
        """
            .formatted(group, resources));
    workspaces.create(provider, yaml.toString());
  }

  private static String schema(ResourceType type, List<String> versions) {
    var yaml = new StringBuilder();
    yaml.append(
        """
        ---
        apiVersion: apis.kcp.io/v1alpha1
        kind: APIResourceSchema
        metadata: {name: v1.%s}
        spec:
          group: %s
          scope: %s
          names: {plural: %s, singular: %s, kind: %s, listKind: %sList}
        """
            .formatted(
                type.qualified(),
                type.group(),
                type.equals(REGIONS) || type.equals(GATEWAYS) ? "Cluster" : "Namespaced",
                type.resource(),
                kind(type).toLowerCase(Locale.ROOT),
                kind(type),
                kind(type)));
    yaml.append(versions.size() > 1 ? "  conversion: {strategy: None}\n" : "");
    yaml.append("  versions:\n");
    for (String version : versions) {
      yaml.append(
          """
            - name: %s
              served: true
              storage: %s
              schema:
                type: object
                properties:
                  spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
          """
              .formatted(version, version.equals("v1alpha1")));
    }
    return yaml.toString();
  }

  private static KubeObject binding(WorkspacePath provider, String export) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha2",
            "kind",
            "APIBinding",
            "metadata",
            Map.of("name", export),
            "spec",
            Map.of(
                "reference", Map.of("export", Map.of("path", provider.value(), "name", export)))));
  }

  private static String kind(ResourceType type) {
    return switch (type.resource()) {
      case "vpcs" -> "VPC";
      case "regions" -> "Region";
      case "virtualmachines" -> "VirtualMachine";
      case "gateways" -> "Gateway";
      default -> throw new IllegalArgumentException(type.toString());
    };
  }

  private static ResourceType network(String version, String resource) {
    return new ResourceType("network.example.com", version, resource);
  }

  private static ResourceType compute(String resource) {
    return new ResourceType("compute.example.com", "v1alpha1", resource);
  }
}
