package dev.mooring.cli.check;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Objects and rules that checks make. */
public final class Samples {
  static final ResourceType GATEWAYS = new ResourceType("edge.example.corp", "v1", "gateways");
  static final ResourceType TUNNELS = new ResourceType("edge.example.corp", "v1", "tunnels");
  public static final ResourceType VOLUMES =
      new ResourceType("storage.example.corp", "v1", "volumes");
  static final ResourceType SNAPSHOTS = new ResourceType("storage.example.corp", "v1", "snapshots");

  private static final Map<ResourceType, String> KINDS =
      Map.of(
          Types.VPCS,
          "VPC",
          Types.SUBNETS,
          "Subnet",
          Types.VIRTUAL_MACHINES,
          "VirtualMachine",
          GATEWAYS,
          "Gateway",
          TUNNELS,
          "Tunnel",
          VOLUMES,
          "Volume",
          SNAPSHOTS,
          "Snapshot");

  private Samples() {}

  static KubeObject vpc(String namespace, String name) {
    return object(Types.VPCS, namespace, name, Map.of("cidr", "10.0.0.0/16"));
  }

  static KubeObject machine(String namespace, String name, String vpc) {
    return object(
        Types.VIRTUAL_MACHINES,
        namespace,
        name,
        Map.of("vpcRef", Map.of("name", vpc), "subnetRef", Map.of("name", "none")));
  }

  /**
   * @param namespace empty for a cluster-scoped one
   */
  static KubeObject object(
      ResourceType type, String namespace, String name, Map<String, Object> spec) {
    return KubeObject.of(type, Objects.requireNonNull(KINDS.get(type)), namespace, name)
        .with(spec, "spec");
  }

  /** What refers: an entry of a rule's dependencies. */
  public static Map<String, Object> on(
      String providerPath, ResourceType target, Map<String, Object> fieldReference) {
    return Map.of(
        "apiExportRef", Map.of("path", providerPath, "name", target.group()),
        "group", target.group(),
        "version", target.version(),
        "resource", target.resource(),
        "fieldRef", fieldReference);
  }

  /** The export of the dependent has the name of its group. */
  public static KubeObject rule(String name, ResourceType dependent, List<Map<String, Object>> on) {
    Map<String, String> values =
        Map.of(
            "name", name,
            "group", dependent.group(),
            "version", dependent.version(),
            "kind", KINDS.getOrDefault(dependent, "Thing"),
            "resource", dependent.resource());
    return Manifests.ofResource("/check/rule.yaml", values)
        .getFirst()
        .with(on, "spec", "dependencies");
  }
}
