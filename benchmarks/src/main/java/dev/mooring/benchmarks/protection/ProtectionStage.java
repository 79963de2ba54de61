package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.common.Workspaces;
import dev.mooring.harness.Manifests;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

  private static final KubeObject MACHINE = resource("machine.yaml", Map.of()).getFirst();

  private final Workspaces workspaces;
  private final Workspace dependencies;
  private final Workspace network;
  private final Workspace compute;
  private final List<Consumer> consumers;

  /** A workspace with so many machines in its namespace {@value #NAMESPACE}. */
  record Consumer(Workspace workspace, int machines) {
    KubeClient client() {
      return workspace.client();
    }
  }

  /**
   * @param manifests directory of the dependency controller's manifests
   * @param machines of each consumer
   */
  ProtectionStage(Workspaces workspaces, Path manifests, List<Integer> machines) {
    this.workspaces = workspaces;
    this.dependencies = exportRules(workspaces, manifests);
    this.network = workspaces.create("network");
    this.compute = workspaces.create("compute");
    for (String namespace : List.of("dependency-system", "dependency-races")) {
      dependencies.create(
          KubeObject.of(ResourceType.core("namespaces"), "Namespace", "", namespace));
    }
    network.create(resource("network.yaml", Map.of()));
    compute.create(resource("compute.yaml", Map.of()));
    network.bind(acceptance(dependencies, manifests));
    compute.bind(acceptance(dependencies, manifests));
    this.consumers = machines.stream().map(this::consumer).toList();
  }

  /** Makes the workspace of the APIExport of DependencyRules. */
  static Workspace exportRules(Workspaces workspaces, Path manifests) {
    Workspace dependencies = workspaces.create("dependencies");
    dependencies.create(Manifests.ofFile(manifests.resolve("apiresourceschema.yaml")));
    dependencies.create(Manifests.ofFile(manifests.resolve("apiexport.yaml")));
    return dependencies;
  }

  /** A provider's APIBinding to that APIExport. */
  static KubeObject acceptance(Workspace dependencies, Path manifests) {
    return Manifests.ofFile(manifests.resolve("provider-apibinding.yaml"))
        .getFirst()
        .with(dependencies.path().value(), "spec", "reference", "export", "path");
  }

  /** In the order in which their sizes were given. */
  List<Consumer> consumers() {
    return consumers;
  }

  /** The provider of everything but machines. */
  Workspace network() {
    return network;
  }

  /** For a webhook. */
  Path kubeconfig() {
    return workspaces.kubeconfigFor(dependencies);
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
        resource(
                "rule.yaml",
                Map.of(
                    "network", network.path().value(),
                    "resource", mode.target.resource(),
                    "field", mode.field))
            .getFirst();
    for (var added : mode.rule.entrySet()) {
      rule = rule.with(added.getValue(), "spec", added.getKey());
    }
    compute.create(rule);
  }

  void deleteRule(Mode mode) {
    compute
        .client()
        .delete(DependencyRule.TYPE, "", mode.field, new DeleteCondition.Unconditional());
  }

  /** A target that nothing refers to, unless it is {@link #TAKEN}. */
  static KubeObject target(ResourceType type, String kind, String name) {
    return KubeObject.of(type, kind, NAMESPACE, name).with("10.0.0.0/16", "spec", "cidr");
  }

  private Consumer consumer(int count) {
    Workspace workspace = workspaces.create("consumer-" + count);
    workspace.bind(binding(network, NETWORK));
    workspace.bind(binding(compute, COMPUTE));
    workspace.create(machine(0, count));
    Load.share(1, count, number -> workspace.client().create(MACHINES, machine(number, count)));
    for (Mode mode : Mode.values()) {
      workspace.create(target(mode.target, mode.kind, TAKEN));
    }
    System.out.printf("  a consumer with %d machines%n", count);
    return new Consumer(workspace, count);
  }

  /** The one in the middle refers to {@link #TAKEN}. */
  private static KubeObject machine(int number, int count) {
    KubeObject machine = MACHINE.with("machine-%05d".formatted(number), "metadata", "name");
    String target = number == count / 2 ? TAKEN : "other-" + number % 100;
    for (Mode mode : Mode.values()) {
      machine = machine.with(target, "spec", mode.field);
    }
    return machine;
  }

  private static KubeObject binding(Workspace provider, String export) {
    return resource("binding.yaml", Map.of("path", provider.path().value(), "export", export))
        .getFirst();
  }

  private static List<KubeObject> resource(String file, Map<String, String> values) {
    return Manifests.ofResource("/protection-benchmark/" + file, values);
  }
}
