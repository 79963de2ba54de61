package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;

/** What may be deleted, and what may not (W1, W2, W7). */
final class DeletionChecks {
  private static final ResourceType MISSPELT =
      new ResourceType("edge.example.corp", "v1", "gatewayz");

  private final ProtectionEnvironment environment;

  @SuppressWarnings("NullAway.Init") // Set by the first check that needs it.
  private ClusterClient edge;

  DeletionChecks(ProtectionEnvironment environment) {
    this.environment = environment;
  }

  List<Check> all() {
    return List.of(
        new Check(
            "W1",
            "a collection is not deleted with an object in it that is referred to",
            this::collection),
        new Check(
            "W1b",
            "a dependent without the field does not hold a collection",
            this::collectionOfFreeObjects),
        new Check(
            "W2", "a cluster-scoped dependent holds a namespaced object", this::clusterScoped),
        new Check("W2b", "a dependent in another namespace holds an object", this::otherNamespace),
        new Check("W2c", "a rule about a type that is not exported says so", this::misspelt),
        new Check(
            "W7", "a rule about another provider's objects protects nothing", this::foreignRule));
  }

  private void collection() {
    environment.namespace("w1");
    Ref wanted = environment.vpc("w1", "wanted");
    environment.machine("vm", wanted);
    CollectionDeletion.Answer answer =
        CollectionDeletion.of(environment.consumer(), Types.VPCS, "w1");
    HarnessFailure.unless(answer.status() != 200, "the collection was deleted");
    HarnessFailure.unless(
        answer.body().contains("cannot delete vpcs/wanted: still referenced by VirtualMachine/vm"),
        "the collection was refused with: " + answer.body());
    HarnessFailure.unless(environment.exists(wanted), "vpcs/wanted is gone");
  }

  private void collectionOfFreeObjects() {
    prepareEdge();
    environment.namespace("w1b");
    Ref free = environment.vpc("w1b", "free");
    environment.create(
        Samples.TUNNELS, Samples.object(Samples.TUNNELS, "w1b", "unset", Map.of("other", "field")));
    CollectionDeletion.Answer answer =
        CollectionDeletion.of(environment.consumer(), Types.VPCS, "w1b");
    HarnessFailure.unless(
        answer.status() == 200, "the collection was refused with: " + answer.body());
    environment.requireGone(free);
  }

  private void clusterScoped() {
    prepareEdge();
    Ref gated = environment.vpc("default", "gated");
    environment.create(
        Samples.GATEWAYS,
        Samples.object(Samples.GATEWAYS, "", "gate", Map.of("vpcRef", Map.of("name", "gated"))));
    environment.requireRefused(gated, "still referenced by Gateway/gate");
  }

  private void otherNamespace() {
    prepareEdge();
    environment.namespace("w2");
    Ref far = environment.vpc("default", "far");
    environment.create(
        Samples.TUNNELS,
        Samples.object(
            Samples.TUNNELS,
            "w2",
            "tunnel",
            Map.of("vpcRef", Map.of("name", "far", "namespace", "default"))));
    environment.requireRefused(far, "Tunnel/");
  }

  private void misspelt() {
    prepareEdge();
    environment.rule(
        edge, Samples.rule("misspelt", MISSPELT, onVpcs(Map.of("path", ".spec.vpcRef.name"))));
    environment.awaitCondition(edge, "misspelt", "Accepted", "False");
    environment.deleteRule(edge, "misspelt");
  }

  private void foreignRule() {
    ClusterClient rogue = environment.workspace("rogue");
    environment.bindRules(rogue);
    KubeObject rule =
        Samples.rule("rogue", Types.SUBNETS, onVpcs(Map.of("path", ".spec.vpcRef.name")));
    List<KubeObject> rules =
        List.of(
            rule,
            rule.with("rogue-raced", "metadata", "name").with("strict", "spec", "raceProtection"));
    for (KubeObject one : rules) {
      environment.rule(rogue, one);
      environment.awaitCondition(rogue, one.name(), "Accepted", "False");
    }
    Ref innocent = environment.vpc("default", "innocent");
    environment.create(
        Types.SUBNETS,
        Samples.object(
            Types.SUBNETS,
            "default",
            "innocent",
            Map.of("cidr", "10.0.1.0/24", "vpcRef", Map.of("name", "innocent"))));
    environment.requireDeletable(innocent);
    rules.forEach(one -> environment.deleteRule(rogue, one.name()));
  }

  /** A third provider, whose types refer to VPCs. */
  private void prepareEdge() {
    if (edge != null) {
      return;
    }
    ClusterClient made = environment.provider("edge", "edge-apis.yaml");
    environment.bindRules(made);
    environment.bind(environment.consumer(), made, "edge.example.corp");
    environment.rule(
        made,
        Samples.rule("gateways", Samples.GATEWAYS, onVpcs(Map.of("path", ".spec.vpcRef.name"))));
    environment.rule(
        made,
        Samples.rule(
            "tunnels",
            Samples.TUNNELS,
            onVpcs(
                Map.of("path", ".spec.vpcRef.name", "namespacePath", ".spec.vpcRef.namespace"))));
    for (String rule : List.of("gateways", "tunnels")) {
      environment.awaitCondition(made, rule, "Ready", "True");
    }
    edge = made;
  }

  private List<Map<String, Object>> onVpcs(Map<String, Object> fieldReference) {
    return List.of(environment.on("network", Types.VPCS, fieldReference));
  }
}
