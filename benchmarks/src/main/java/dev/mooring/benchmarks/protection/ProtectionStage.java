package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Workspaces of one run on a kcp: that of the rules' APIExport, a provider of networks, a provider
 * of machines that refer to them, and consumers with more and more machines. In every consumer one
 * machine refers to the target {@value #TAKEN} of each protected type.
 */
final class ProtectionStage {
  static final String NETWORK = "network.benchmark.mooring.dev";
  static final String COMPUTE = "compute.benchmark.mooring.dev";
  static final ResourceType ROUTERS = new ResourceType(NETWORK, "v1", "routers");
  static final ResourceType MACHINES = new ResourceType(COMPUTE, "v1", "machines");
  static final String NAMESPACE = "default";
  static final String TAKEN = "taken";

  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  private static final ResourceType RULES =
      new ResourceType("dependencies.opendefense.cloud", "v1alpha1", "dependencyrules");
  private static final KubeObject MACHINE =
      Manifests.ofResource("/protection-benchmark/machine.yaml", Map.of()).getFirst();

  private final Workspaces workspaces;
  private final LogicalCluster network;
  private final List<Consumer> consumers = new ArrayList<>();

  /**
   * @param manifests directory of the dependency controller's manifests
   * @param machines of each consumer
   */
  ProtectionStage(Workspaces workspaces, Path manifests, List<Integer> machines) {
    this.workspaces = workspaces;
    workspaces.create("dependencies");
    network = workspaces.create("network");
    workspaces.create("compute");
    create("dependencies", Manifests.ofFile(manifests.resolve("apiresourceschema.yaml")));
    create("dependencies", Manifests.ofFile(manifests.resolve("apiexport.yaml")));
    for (String namespace : List.of("dependency-system", "dependency-races")) {
      Workspaces.create(
          workspaces.client("dependencies"),
          KubeObject.of(ResourceType.core("namespaces"), "Namespace", "", namespace));
    }
    create("network", Manifests.ofResource("/protection-benchmark/network.yaml", Map.of()));
    create("compute", Manifests.ofResource("/protection-benchmark/compute.yaml", Map.of()));
    KubeObject acceptance =
        Manifests.ofFile(manifests.resolve("provider-apibinding.yaml"))
            .getFirst()
            .with(workspaces.path("dependencies").value(), "spec", "reference", "export", "path");
    bind("network", acceptance);
    bind("compute", acceptance);
    for (int count : machines) {
      consumers.add(consumer(count));
    }
  }

  /** In the order in which their sizes were given. */
  List<Consumer> consumers() {
    return consumers;
  }

  /** The provider of everything but machines. */
  LogicalCluster network() {
    return network;
  }

  KubeClient networkProvider() {
    return workspaces.client("network");
  }

  KubeClient computeProvider() {
    return workspaces.client("compute");
  }

  /** For a webhook. */
  Path kubeconfig() {
    return workspaces.kubeconfigFor("dependencies");
  }

  Path directory() {
    return workspaces.directory();
  }

  /** Whether kcp selects machines by what they refer to. */
  boolean selectsByField() {
    var query = ListQuery.ALL.inNamespace(NAMESPACE).withLimit(1);
    try {
      consumers.getFirst().client().list(MACHINES, query.withFields("spec.network=" + TAKEN));
      return true;
    } catch (KubeFailure e) {
      if (e.code() == 400) {
        return false;
      }
      throw e;
    }
  }

  /** Has machines protect what they refer to. */
  void createRule(Mode mode) {
    KubeObject rule =
        Manifests.ofResource(
                "/protection-benchmark/rule.yaml",
                Map.of(
                    "network", workspaces.path("network").value(),
                    "resource", mode.target().resource(),
                    "field", mode.field()))
            .getFirst();
    for (var added : mode.rule().entrySet()) {
      rule = rule.with(added.getValue(), "spec", added.getKey());
    }
    Workspaces.create(computeProvider(), rule);
  }

  void deleteRule(Mode mode) {
    computeProvider().delete(RULES, "", mode.field(), new DeleteCondition.Unconditional());
  }

  /** A target that nothing refers to, unless it is {@link #TAKEN}. */
  static KubeObject target(ResourceType type, String kind, String name) {
    return KubeObject.of(type, kind, NAMESPACE, name).with("10.0.0.0/16", "spec", "cidr");
  }

  private Consumer consumer(int count) {
    String name = "consumer-" + count;
    LogicalCluster cluster = workspaces.create(name);
    bind(name, binding("network", NETWORK));
    bind(name, binding("compute", COMPUTE));
    KubeClient client = workspaces.client(name);
    Workspaces.create(client, machine(0, count));
    Clients.share(
        IntStream.range(1, count).boxed().toList(),
        number -> client.create(MACHINES, machine(number, count)));
    for (Mode mode : Mode.values()) {
      Workspaces.create(client, target(mode.target(), mode.kind(), TAKEN));
    }
    System.out.printf("  a consumer with %d machines%n", count);
    return new Consumer(name, count, client, cluster);
  }

  /** The one in the middle refers to {@link #TAKEN}. */
  private static KubeObject machine(int number, int count) {
    KubeObject machine = MACHINE.with("machine-%05d".formatted(number), "metadata", "name");
    String target = number == count / 2 ? TAKEN : "other-" + number % 100;
    for (Mode mode : Mode.values()) {
      machine = machine.with(target, "spec", mode.field());
    }
    return machine;
  }

  private void create(String workspace, List<KubeObject> objects) {
    for (KubeObject object : objects) {
      Workspaces.create(workspaces.client(workspace), object);
    }
  }

  private KubeObject binding(String provider, String export) {
    return Manifests.ofResource(
            "/protection-benchmark/binding.yaml",
            Map.of("path", workspaces.path(provider).value(), "export", export))
        .getFirst();
  }

  private void bind(String workspace, KubeObject binding) {
    KubeClient client = workspaces.client(workspace);
    Workspaces.create(client, binding);
    Patience.await(
        binding.name() + " is bound in " + workspace,
        () ->
            Optional.of(client.find(BINDINGS, "", binding.name()).orElseThrow())
                .filter(found -> found.text("status", "phase").equals("Bound")));
  }
}
