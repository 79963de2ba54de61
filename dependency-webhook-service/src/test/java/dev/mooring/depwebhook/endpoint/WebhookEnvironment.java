package dev.mooring.depwebhook.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.FieldFindings;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A network provider, a compute provider, two consumers of both, and webhooks: the service as it
 * runs, over HTTPS, with a configuration in the network provider's workspace as the controller
 * makes it. Where kcp has several shards the providers live on one of them and the rules' export on
 * another, with a consumer next to each.
 */
final class WebhookEnvironment implements AutoCloseable {
  static final ResourceType VPCS = network("v1alpha1", "vpcs");
  static final ResourceType VPCS_V1BETA1 = network("v1beta1", "vpcs");
  static final ResourceType REGIONS = network("v1alpha1", "regions");
  static final ResourceType MACHINES = compute("virtualmachines");
  static final ResourceType GATEWAYS = compute("gateways");

  /** The service's own, as the manifests name it. */
  static final String USER = "mooring:dependency-webhook";

  static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";
  static final String DENIED = "admission webhook \"" + WEBHOOK + "\" denied the request: ";

  private static final Path KCP = Path.of("../charts/mooring/kcp");
  private static final ResourceType RULES =
      new ResourceType("dependencies.opendefense.cloud", "v1alpha1", "dependencyrules");
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
  private static final ResourceType EXPORTS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");
  private static final String ANYTHING =
      "{type: object, x-kubernetes-preserve-unknown-fields: true}";
  private static final Map<String, String> KINDS =
      Map.of(
          "vpcs", "VPC",
          "regions", "Region",
          "virtualmachines", "VirtualMachine",
          "gateways", "Gateway",
          "disks", "Disk",
          "configmaps", "ConfigMap");
  private static final Set<String> CLUSTER_SCOPED = Set.of("regions", "gateways");

  final TestWorkspaces workspaces;
  final WorkspacePath dependencies;
  final WorkspacePath network;
  final WorkspacePath compute;
  final WorkspacePath consumer;
  final WorkspacePath other;

  /** One on each shard. */
  final List<WorkspacePath> consumers;

  private final Path files;
  private final List<ConfigurableApplicationContext> services = new ArrayList<>();

  private WebhookEnvironment(TestWorkspaces workspaces, Path files, int shards) throws Exception {
    this.workspaces = workspaces;
    this.files = files;
    dependencies = workspaces.create("depwh-deps");
    // First of all: services wait until its endpoint slice is some seconds old.
    workspaces.create(dependencies, KCP.resolve("apiresourceschema.yaml"));
    workspaces.create(dependencies, KCP.resolve("apiexport.yaml"));
    workspaces.create(dependencies, KCP.resolve("rbac-dependency-workspace.yaml"));
    consumer = nextTo(dependencies, "depwh-consumer");
    other = shards > 1 ? apartFrom(consumer, "depwh-other") : workspaces.create("depwh-other");
    network = nextTo(other, "depwh-network");
    compute = nextTo(other, "depwh-compute");
    consumers = shards > 1 ? List.of(consumer, other) : List.of(consumer);
    bindDependencies(compute);
    bindDependencies(network);
    export(
        network,
        "network.example.com",
        schema("vpcs.network.example.com", "v1alpha1", "v1beta1"),
        schema("regions.network.example.com", "v1alpha1"));
    export(
        compute,
        "compute.example.com",
        schema("virtualmachines.compute.example.com", "v1alpha1"),
        schema("gateways.compute.example.com", "v1alpha1"));
    bindBoth(consumer);
    bindBoth(other);
    permitToList(consumer, "alice");
    permitToList(consumer, "depwh-alice");
  }

  /** Lets a user see what refers to a target, in all namespaces. */
  void permitToList(WorkspacePath in, String user) {
    workspaces.create(
        in,
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: lists-%1$s}
        rules:
        - {apiGroups: [compute.example.com], resources: ["*"], verbs: [list]}
        - {nonResourceURLs: ["/"], verbs: [access]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: lists-%1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lists-%1$s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
        """
            .formatted(user));
  }

  /** Lets a user see what refers to a target, in one namespace. */
  void permitToList(WorkspacePath in, String user, String namespace) {
    workspaces.create(
        in,
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: lists-%1$s, namespace: %2$s}
        rules:
        - {apiGroups: [compute.example.com], resources: [virtualmachines], verbs: [list]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: lists-%1$s, namespace: %2$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: lists-%1$s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: enters-%1$s}
        rules:
        - {nonResourceURLs: ["/"], verbs: [access]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: enters-%1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: enters-%1$s}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
        """
            .formatted(user, namespace));
  }

  /** On a real kcp, which must reach this machine's loopback. */
  static WebhookEnvironment on(TestKcp kcp, Path files) throws Exception {
    return on(TestWorkspaces.on(kcp), files, 1);
  }

  /** On a sandbox of its own, which ends with it. */
  static WebhookEnvironment onSandbox(Path files, int shards) throws Exception {
    return on(
        TestWorkspaces.onSandbox(
            ServerOptions.in(files.resolve("kcp")).withPort(0).withShards(shards)),
        files,
        shards);
  }

  /** On workspaces that end with it. */
  static WebhookEnvironment on(TestWorkspaces workspaces, Path files, int shards) throws Exception {
    try {
      return new WebhookEnvironment(workspaces, files, shards);
    } catch (Exception e) {
      workspaces.close();
      throw e;
    }
  }

  /** A new workspace on the same shard. */
  WorkspacePath nextTo(WorkspacePath there, String prefix) {
    return on(workspaces.shard(there)::equals, prefix);
  }

  /** A new consumer of both providers on the same shard. */
  WorkspacePath consumerNextTo(WorkspacePath there, String prefix) {
    WorkspacePath made = nextTo(there, prefix);
    bindBoth(made);
    return made;
  }

  /**
   * A new consumer on the same shard in which machines are served no more, though one referred to
   * its VPC {@code left}, for which that VPC could not be deleted.
   */
  WorkspacePath withoutMachinesNextTo(WorkspacePath there, String prefix) {
    WorkspacePath lean = consumerNextTo(there, prefix);
    create(lean, VPCS, "default", "left", "");
    create(lean, MACHINES, "default", "vm-left", "left");
    assertThat(refusal(lean, VPCS, "default", "left")).contains("VirtualMachine/vm-left");
    KubeClient inside = workspaces.client(lean);
    inside.delete(Binding.TYPE, "", "compute.example.com", new DeleteCondition.Unconditional());
    await().until(() -> inside.find(Binding.TYPE, "", "compute.example.com").isEmpty());
    return lean;
  }

  /** A new workspace on another shard. */
  private WorkspacePath apartFrom(WorkspacePath there, String prefix) {
    return on(Predicate.not(workspaces.shard(there)::equals), prefix);
  }

  /** Where a workspace goes is a matter of its cluster's random name. */
  private WorkspacePath on(Predicate<String> shard, String prefix) {
    while (true) {
      WorkspacePath made = workspaces.create(prefix);
      if (shard.test(workspaces.shard(made))) {
        return made;
      }
    }
  }

  /** The rules of most tests: machines and gateways need VPCs and regions. */
  void usualRules() {
    rule("machines-need", MACHINES, "{path: .spec.ref.name}", "vpcs", "regions");
    rule("gateways-need", GATEWAYS, "{path: .spec.ref.name}", "vpcs", "regions");
  }

  /**
   * @param fieldRef in YAML, one for all targets
   */
  void rule(String name, ResourceType dependent, String fieldRef, String... targets) {
    rule(compute, name, "", dependent, fieldRef, targets);
  }

  /** A rule that names an export of its author's for its dependents. */
  void ruleOf(
      WorkspacePath author,
      String name,
      String export,
      ResourceType dependent,
      String fieldRef,
      String... targets) {
    rule(author, name, export, "", dependent, fieldRef, targets);
  }

  /** A rule as older versions of the Go program have it, in the computes' workspace. */
  void olderRule(String name, ResourceType dependent, String fieldRef, String... targets) {
    KubeObject rule = rule(name, dependent.group(), "", dependent, fieldRef, targets);
    Map<String, Object> of = Trees.thawMap(rule.map("spec", "dependent"));
    of.remove("apiExportName");
    of.put("apiExportRef", Map.of("path", compute.value(), "name", dependent.group()));
    workspaces.create(compute, RULES, rule.with(of, "spec", "dependent"));
  }

  /**
   * @param more fields of the specification, each a line of YAML; empty for none
   */
  void rule(
      WorkspacePath author,
      String name,
      String more,
      ResourceType dependent,
      String fieldRef,
      String... targets) {
    String export = dependent.group().isEmpty() ? "compute.example.com" : dependent.group();
    rule(author, name, export, more, dependent, fieldRef, targets);
  }

  /** Gives a rule another specification. */
  void editRule(String name, ResourceType dependent, String fieldRef, String... targets) {
    KubeObject edited = rule(name, dependent.group(), "", dependent, fieldRef, targets);
    workspaces.client(compute).patch(RULES, "", name, Map.of("spec", edited.map("spec")));
  }

  private void rule(
      WorkspacePath author,
      String name,
      String export,
      String more,
      ResourceType dependent,
      String fieldRef,
      String[] targets) {
    workspaces.create(author, RULES, rule(name, export, more, dependent, fieldRef, targets));
  }

  private KubeObject rule(
      String name,
      String export,
      String more,
      ResourceType dependent,
      String fieldRef,
      String[] targets) {
    var dependencies = new StringBuilder();
    for (String target : targets) {
      dependencies.append(
          """
            - apiExportRef: {path: "%s", name: network.example.com}
              group: network.example.com
              version: v1alpha1
              resource: %s
              fieldRef: %s
          """
              .formatted(network, target, fieldRef));
    }
    String yaml =
        """
        apiVersion: dependencies.opendefense.cloud/v1alpha1
        kind: DependencyRule
        metadata: {name: %s}
        spec:
          dependent: {apiExportName: %s, group: "%s", version: %s, kind: %s, resource: %s}
        %s\
          dependencies:
        %s\
        """
            .formatted(
                name,
                export,
                dependent.group(),
                dependent.version(),
                KINDS.getOrDefault(dependent.resource(), "Thing"),
                dependent.resource(),
                more.isEmpty() ? "" : more.indent(2),
                dependencies);
    return Manifests.parse(yaml).getFirst();
  }

  /** As the controller reports a rule whose one field its dependents cannot have. */
  void reportMissingField(String name, String problem) {
    KubeObject rule = workspaces.client(compute).find(RULES, "", name).orElseThrow();
    Map<String, Object> state =
        Map.of(
            "path",
            "root:network",
            "resource",
            "vpcs.network.example.com",
            "state",
            FieldFindings.NOT_IN_SCHEMA,
            "message",
            problem);
    workspaces
        .client(compute)
        .updateStatus(
            RULES,
            rule.with(
                Map.of("observedGeneration", rule.generation(), "dependencies", List.of(state)),
                "status"));
  }

  void deleteRule(String name) {
    workspaces.client(compute).delete(RULES, "", name, new DeleteCondition.Unconditional());
  }

  /** A replica of the webhook, once it knows this many rules. */
  ConfigurableApplicationContext serve(int rules, String... arguments) throws Exception {
    ConfigurableApplicationContext service = started(dependencies, arguments);
    awaitRules(service, rules);
    return service;
  }

  /** A replica with this kubeconfig, in this profile, once it knows this many rules. */
  ConfigurableApplicationContext serveBy(Path kubeconfig, String profile, int rules)
      throws Exception {
    ConfigurableApplicationContext service = startedBy(kubeconfig, profile);
    awaitRules(service, rules);
    return service;
  }

  /** The shipped manifest with the types of this environment as dependents. */
  static String shardManifest() throws IOException {
    return Files.readString(KCP.resolve("rbac-shard-system-admin.yaml"))
        .replace(
            "[edge.example.corp]",
            List.of(VPCS.group(), MACHINES.group(), "storage.example.com").toString())
        .replace("[gateways]", "['*']")
        .replace(
            "  - apiGroups: [authorization.k8s.io]",
            "  - {apiGroups: [''], resources: [configmaps], verbs: [get, list, watch]}\n"
                + "  - apiGroups: [authorization.k8s.io]");
  }

  /** A replica in a process of its own, on these ports; its output is discarded. */
  Process process(int port, int managementPort) throws Exception {
    workspaces.applyOnShards(Manifests.parse(shardManifest()));
    Path kubeconfig = workspaces.kubeconfigFor(dependencies, files.resolve("kubeconfig"), USER);
    TestCertificate.forLocalhost(files.resolve("tls"));
    List<String> command =
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DependencyWebhookApplication.class.getName(),
            "--spring.profiles.active=local",
            "--server.port=" + port,
            "--management.server.port=" + managementPort,
            "--mooring.dependency-webhook.drain=0s",
            "--kubeconfig=" + kubeconfig,
            "--tls-cert-dir=" + files.resolve("tls"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** A replica that never comes to know any rules. */
  ConfigurableApplicationContext serveWithoutRules() throws Exception {
    return started(network);
  }

  private ConfigurableApplicationContext started(WorkspacePath workspace, String... arguments)
      throws Exception {
    workspaces.applyOnShards(Manifests.parse(shardManifest()));
    Path file = files.resolve("kubeconfig-" + workspace.name());
    return startedBy(workspaces.kubeconfigFor(workspace, file, USER), "local", arguments);
  }

  private ConfigurableApplicationContext startedBy(
      Path kubeconfig, String profile, String... arguments) throws Exception {
    Path tls = files.resolve("tls");
    if (!Files.exists(tls)) {
      TestCertificate.forLocalhost(tls);
    }
    boolean certified = List.of(arguments).stream().anyMatch(a -> a.startsWith("--tls-cert-dir="));
    var given =
        Stream.concat(
            Stream.of(
                "--server.port=0",
                "--management.server.port=0",
                "--mooring.dependency-webhook.drain=0s",
                "--kubeconfig=" + kubeconfig),
            certified
                ? Stream.of(arguments)
                : Stream.concat(Stream.of("--tls-cert-dir=" + tls), Stream.of(arguments)));
    ConfigurableApplicationContext service =
        new SpringApplicationBuilder(DependencyWebhookApplication.class)
            .profiles(profile)
            .run(given.toArray(String[]::new));
    services.add(service);
    return service;
  }

  void awaitRules(ConfigurableApplicationContext service, int count) {
    RuleStore rules = service.getBean(RuleStore.class);
    await()
        .until(() -> rules.current() instanceof Rules.Loaded(var index) && index.size() == count);
  }

  /** All services know this many rules. */
  void awaitRules(int count) {
    services.forEach(service -> awaitRules(service, count));
  }

  static int port(ConfigurableApplicationContext service) {
    return ((ServletWebServerApplicationContext) service).getWebServer().getPort();
  }

  /** How often the service has looked for dependents in this way. */
  static double lookups(ConfigurableApplicationContext service, LookupMethod path) {
    Timer timer =
        service
            .getBean(MeterRegistry.class)
            .find("mooring.dependency.webhook.lookup")
            .tag("path", path.label())
            .timer();
    return timer == null ? 0 : timer.count();
  }

  /** Has kcp ask the service about deletions, and waits until it does in both consumers. */
  void guard(ConfigurableApplicationContext service) throws Exception {
    guard(network, port(service), "vpcs", "regions");
    for (WorkspacePath in : List.of(consumer, other)) {
      create(in, VPCS, "default", "canary", "");
      create(in, MACHINES, "default", "vm-canary", "canary");
      // API servers take up a new configuration after a moment.
      await().until(() -> canaryIsGuarded(in));
    }
  }

  /** Has kcp ask about deletions of what a provider exports. */
  void guard(WorkspacePath provider, int port, String... resources) throws Exception {
    workspaces.create(provider, CONFIGURATIONS, configuration(provider, port, List.of(resources)));
  }

  /** Has kcp ask another address. */
  void redirectGuard(int port) throws Exception {
    var client = workspaces.client(network);
    KubeObject there = client.find(CONFIGURATIONS, "", "dependency-controller").orElseThrow();
    client.update(
        CONFIGURATIONS,
        configuration(network, port, List.of("vpcs", "regions"))
            .with(there.resourceVersion(), "metadata", "resourceVersion"));
  }

  /** Has kcp ask about deletions of what the network's provider exports, but need no answer. */
  void advise(int port, String... resources) throws Exception {
    KubeObject asking = configuration(network, port, List.of(resources));
    Map<String, Object> entry = Trees.thawMap(Trees.mapOrEmpty(asking.list("webhooks").getFirst()));
    Map<String, Object> client = Trees.thawMap(Trees.mapOrEmpty(entry.get("clientConfig")));
    client.put("url", client.get("url") + "/advised");
    entry.put("clientConfig", client);
    entry.put("name", "advisory.dependencies.opendefense.cloud");
    entry.put("failurePolicy", "Ignore");
    workspaces.create(network, CONFIGURATIONS, asking.with(List.of(entry), "webhooks"));
  }

  /** Has kcp ask nobody any more. */
  void unguard() {
    workspaces
        .client(network)
        .delete(CONFIGURATIONS, "", "dependency-controller", new DeleteCondition.Unconditional());
  }

  private KubeObject configuration(WorkspacePath provider, int port, List<String> resources)
      throws Exception {
    byte[] ca = Files.readAllBytes(files.resolve("tls/ca.crt"));
    var entry =
        Map.of(
            "name", WEBHOOK,
            "clientConfig",
                Map.of(
                    "url",
                    "https://127.0.0.1:" + port + "/validate/" + workspaces.cluster(provider),
                    "caBundle",
                    Base64.getEncoder().encodeToString(ca)),
            "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of("network.example.com"),
                        "apiVersions", List.of("*"),
                        "operations", List.of("DELETE"),
                        "resources", resources)),
            "sideEffects", "None",
            "admissionReviewVersions", List.of("v1"));
    return KubeObject.of(
        Map.of(
            "apiVersion", CONFIGURATIONS.apiVersion(),
            "kind", "ValidatingWebhookConfiguration",
            "metadata", Map.of("name", "dependency-controller"),
            "webhooks", List.of(entry)));
  }

  private boolean canaryIsGuarded(WorkspacePath in) {
    if (!exists(in, VPCS, "default", "canary")) {
      create(in, VPCS, "default", "canary", "");
    }
    try {
      delete(in, VPCS, "default", "canary");
      return false;
    } catch (KubeFailure failure) {
      return failure.code() == 403;
    }
  }

  void create(ResourceType type, String namespace, String name, String refersTo) {
    create(consumer, type, namespace, name, refersTo);
  }

  void create(WorkspacePath in, ResourceType type, String namespace, String name, String refersTo) {
    create(in, type, namespace, name, Map.of("ref", Map.of("name", refersTo)));
  }

  void create(
      WorkspacePath in, ResourceType type, String namespace, String name, Map<String, ?> spec) {
    KubeObject object =
        KubeObject.of(
            Map.of(
                "apiVersion", type.apiVersion(),
                "kind", KINDS.get(type.resource()),
                "metadata", Map.of("name", name),
                "spec", spec));
    workspaces.create(
        in, type, namespace.isEmpty() ? object : object.with(namespace, "metadata", "namespace"));
  }

  void namespace(String name) {
    namespace(consumer, name);
  }

  void namespace(WorkspacePath in, String name) {
    workspaces.create(
        in, "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(name));
  }

  void delete(ResourceType type, String namespace, String name) {
    delete(consumer, type, namespace, name);
  }

  void delete(WorkspacePath in, ResourceType type, String namespace, String name) {
    workspaces.client(in).delete(type, namespace, name, new DeleteCondition.Unconditional());
  }

  boolean exists(ResourceType type, String namespace, String name) {
    return exists(consumer, type, namespace, name);
  }

  boolean exists(WorkspacePath in, ResourceType type, String namespace, String name) {
    return workspaces.client(in).find(type, namespace, name).isPresent();
  }

  void annotate(ResourceType type, String namespace, String name, String key, String value) {
    annotate(consumer, type, namespace, name, key, value);
  }

  void annotate(
      WorkspacePath in,
      ResourceType type,
      String namespace,
      String name,
      String key,
      String value) {
    workspaces
        .client(in)
        .patch(
            type, namespace, name, Map.of("metadata", Map.of("annotations", Map.of(key, value))));
  }

  /** It can be deleted, and is gone. */
  void assertDeletable(ResourceType type, String namespace, String name) {
    assertDeletable(consumer, type, namespace, name);
  }

  void assertDeletable(WorkspacePath in, ResourceType type, String namespace, String name) {
    delete(in, type, namespace, name);
    assertThat(exists(in, type, namespace, name)).as(type + " " + name).isFalse();
  }

  /** It cannot be deleted, is told why, and is still there. */
  void assertRefused(ResourceType type, String namespace, String name, String message) {
    assertRefused(consumer, type, namespace, name, message);
  }

  void assertRefused(
      WorkspacePath in, ResourceType type, String namespace, String name, String message) {
    assertThat(refusal(in, type, namespace, name)).isEqualTo(DENIED + message);
    assertThat(exists(in, type, namespace, name)).isTrue();
  }

  String refusal(WorkspacePath in, ResourceType type, String namespace, String name) {
    try {
      delete(in, type, namespace, name);
    } catch (KubeFailure failure) {
      String message = failure.getMessage();
      assertThat(message).contains("admission webhook");
      return message.substring(message.indexOf("admission webhook"));
    }
    throw new AssertionError(type + " " + namespace + "/" + name + " was deleted");
  }

  /** What the service answers to a review of the object's deletion by somebody else. */
  KubeObject review(
      ConfigurableApplicationContext service,
      ResourceType type,
      String namespace,
      String name,
      String user)
      throws Exception {
    byte[] review = KubeJson.write(reviewOf(type, namespace, name, user));
    return KubeJson.readObject(
        post(service, "/validate/" + workspaces.cluster(network), review).body());
  }

  /** A review of the object's deletion, as kcp would send it. */
  KubeObject reviewOf(ResourceType type, String namespace, String name, String user) {
    KubeObject object = workspaces.client(consumer).find(type, namespace, name).orElseThrow();
    var request = new HashMap<String, Object>();
    request.put("uid", "review-of-" + name);
    request.put(
        "resource",
        Map.of(
            "group", type.group(),
            "version", type.version(),
            "resource", type.resource()));
    request.put("operation", "DELETE");
    request.put("userInfo", Map.of("username", user, "groups", List.of("system:authenticated")));
    request.put("oldObject", object.tree());
    return KubeObject.of(
        Map.of(
            "apiVersion", "admission.k8s.io/v1",
            "kind", "AdmissionReview",
            "request", request));
  }

  /** An HTTPS request to the service, as an API server makes it. */
  HttpResponse<byte[]> post(ConfigurableApplicationContext service, String path, byte[] body)
      throws Exception {
    try (HttpClient client = client()) {
      return post(client, service, path, body);
    }
  }

  /** The same, by a client that shows the certificate in this directory if it is asked for one. */
  HttpResponse<byte[]> post(
      ConfigurableApplicationContext service, String path, byte[] body, Path shown)
      throws Exception {
    SSLContext tls = TestCertificate.showing(shown, files.resolve("tls/ca.crt"));
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls).build()) {
      return post(client, service, path, body);
    }
  }

  HttpResponse<byte[]> post(
      HttpClient client, ConfigurableApplicationContext service, String path, byte[] body)
      throws Exception {
    return post(client, port(service), path, body);
  }

  static HttpResponse<byte[]> post(HttpClient client, int port, String path, byte[] body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  /** One that keeps its connections. */
  HttpClient client() throws Exception {
    return HttpClient.newBuilder()
        .sslContext(TestCertificate.trusting(files.resolve("tls/ca.crt")))
        .build();
  }

  void bindDependencies(WorkspacePath provider) {
    KubeObject binding = Manifests.read(KCP.resolve("provider-apibinding.yaml")).getFirst();
    workspaces.bind(
        provider, binding.with(dependencies.value(), "spec", "reference", "export", "path"));
  }

  private void bindBoth(WorkspacePath in) {
    bind(in, network, "network.example.com");
    bind(in, compute, "compute.example.com");
  }

  void bind(WorkspacePath in, WorkspacePath provider, String export) {
    workspaces.bind(
        in,
        Manifests.parse(
                """
                apiVersion: apis.kcp.io/v1alpha2
                kind: APIBinding
                metadata: {name: %2$s}
                spec: {reference: {export: {path: "%1$s", name: %2$s}}}
                """
                    .formatted(provider, export))
            .getFirst());
  }

  /** Exports what these schemas describe. */
  void export(WorkspacePath provider, String name, String... schemas) {
    var resources = new StringBuilder();
    var seen = new HashSet<String>();
    for (String schema : schemas) {
      workspaces.create(provider, schema);
      String qualified = Manifests.parse(schema).getFirst().name().replaceFirst("^[^.]+\\.", "");
      if (seen.add(qualified)) {
        int dot = qualified.indexOf('.');
        resources.append(
            "  - {group: %s, name: %s, schema: v1.%s, storage: {crd: {}}}\n"
                .formatted(qualified.substring(dot + 1), qualified.substring(0, dot), qualified));
      }
    }
    workspaces.create(
        provider,
        """
        apiVersion: apis.kcp.io/v1alpha2
        kind: APIExport
        metadata: {name: %s}
        spec:
          resources:
        %s\
        """
            .formatted(name, resources));
  }

  /** Has an export serve its one resource by another schema, written as the first was. */
  void replaceSchema(WorkspacePath provider, String name, String schema) {
    KubeObject second = Manifests.parse(schema.replace("name: v1.", "name: v2.")).getFirst();
    workspaces.create(provider, second);
    Map<String, Object> resource =
        Map.of(
            "group", second.text("spec", "group"),
            "name", second.text("spec", "names", "plural"),
            "schema", second.name(),
            "storage", Map.of("crd", Map.of()));
    workspaces
        .client(provider)
        .patch(EXPORTS, "", name, Map.of("spec", Map.of("resources", List.of(resource))));
  }

  /** Of a type of one version and this specification. */
  static String schemaOf(String qualified, String version, String specification) {
    return schema(qualified, version).replace(ANYTHING, specification);
  }

  /** Of a type whose specification takes anything; the first version is stored. */
  static String schema(String qualified, String... versions) {
    String resource = qualified.substring(0, qualified.indexOf('.'));
    String kind = KINDS.get(resource);
    var yaml = new StringBuilder();
    yaml.append(
        """
        apiVersion: apis.kcp.io/v1alpha1
        kind: APIResourceSchema
        metadata: {name: v1.%s}
        spec:
          group: %s
          scope: %s
          names: {plural: %s, singular: %s, kind: %s, listKind: %sList}
        """
            .formatted(
                qualified,
                qualified.substring(qualified.indexOf('.') + 1),
                CLUSTER_SCOPED.contains(resource) ? "Cluster" : "Namespaced",
                resource,
                kind.toLowerCase(Locale.ROOT),
                kind,
                kind));
    yaml.append(versions.length > 1 ? "  conversion: {strategy: None}\n" : "");
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
                  spec: %s
          """
              .formatted(version, version.equals(versions[0]), ANYTHING));
    }
    return yaml.toString();
  }

  @Override
  public void close() {
    services.forEach(ConfigurableApplicationContext::close);
    workspaces.close();
  }

  private static ResourceType network(String version, String resource) {
    return new ResourceType("network.example.com", version, resource);
  }

  private static ResourceType compute(String resource) {
    return new ResourceType("compute.example.com", "v1alpha1", resource);
  }
}
