package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.Types;
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
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("w1", "wanted"));
    environment.create(
        environment.consumer(), Types.VIRTUAL_MACHINES, Samples.machine("w1", "vm", "wanted"));
    CollectionDeletion.Answer answer =
        CollectionDeletion.of(environment.consumer(), Types.VPCS, "w1");
    HarnessFailure.unless(answer.status() != 200, "the collection was deleted");
    HarnessFailure.unless(
        answer.body().contains("cannot delete vpcs/wanted: still referenced by VirtualMachine/vm"),
        "the collection was refused with: " + answer.body());
    HarnessFailure.unless(environment.exists(Types.VPCS, "w1", "wanted"), "vpcs/wanted is gone");
  }

  private void collectionOfFreeObjects() {
    prepareEdge();
    environment.namespace("w1b");
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("w1b", "free"));
    environment.create(
        environment.consumer(),
        Samples.TUNNELS,
        Samples.object(Samples.TUNNELS, "w1b", "unset", Map.of("other", "field")));
    CollectionDeletion.Answer answer =
        CollectionDeletion.of(environment.consumer(), Types.VPCS, "w1b");
    HarnessFailure.unless(
        answer.status() == 200, "the collection was refused with: " + answer.body());
    HarnessFailure.unless(
        !environment.exists(Types.VPCS, "w1b", "free"), "vpcs/free is still there");
  }

  private void clusterScoped() {
    prepareEdge();
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("default", "gated"));
    environment.create(
        environment.consumer(),
        Samples.GATEWAYS,
        Samples.object(Samples.GATEWAYS, "", "gate", Map.of("vpcRef", Map.of("name", "gated"))));
    environment.requireRefused(Types.VPCS, "default", "gated", "still referenced by Gateway/gate");
  }

  private void otherNamespace() {
    prepareEdge();
    environment.namespace("w2");
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("default", "far"));
    environment.create(
        environment.consumer(),
        Samples.TUNNELS,
        Samples.object(
            Samples.TUNNELS,
            "w2",
            "tunnel",
            Map.of("vpcRef", Map.of("name", "far", "namespace", "default"))));
    environment.requireRefused(Types.VPCS, "default", "far", "Tunnel/");
  }

  private void misspelt() {
    prepareEdge();
    environment.rule(
        edge, Samples.rule("misspelt", MISSPELT, onVpcs(Map.of("path", ".spec.vpcRef.name"))));
    environment.await(
        "the rule is not accepted",
        () -> environment.condition(edge, "misspelt", "Accepted").equals("False"));
    environment.deleteRule(edge, "misspelt");
  }

  private void foreignRule() {
    ClusterClient rogue = environment.workspace("rogue");
    environment.bind(rogue, environment.demo().dependencies(), "dependencies.opendefense.cloud");
    KubeObject rule =
        Samples.rule("rogue", Types.SUBNETS, onVpcs(Map.of("path", ".spec.vpcRef.name")));
    List<KubeObject> rules =
        List.of(
            rule,
            rule.with("rogue-raced", "metadata", "name").with("strict", "spec", "raceProtection"));
    for (KubeObject one : rules) {
      environment.rule(rogue, one);
      environment.await(
          "the rule " + one.name() + " is not accepted",
          () -> environment.condition(rogue, one.name(), "Accepted").equals("False"));
    }
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("default", "innocent"));
    environment.create(
        environment.consumer(),
        Types.SUBNETS,
        Samples.object(
            Types.SUBNETS,
            "default",
            "innocent",
            Map.of("cidr", "10.0.1.0/24", "vpcRef", Map.of("name", "innocent"))));
    environment.requireDeletable(Types.VPCS, "default", "innocent");
    rules.forEach(one -> environment.deleteRule(rogue, one.name()));
  }

  /** A third provider, whose types refer to VPCs. */
  private void prepareEdge() {
    if (edge != null) {
      return;
    }
    ClusterClient made = environment.provider("edge", "edge-apis.yaml");
    environment.bind(made, environment.demo().dependencies(), "dependencies.opendefense.cloud");
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
      environment.await(
          "the rule " + rule + " is in force",
          () -> environment.condition(made, rule, "Ready").equals("True"));
    }
    edge = made;
  }

  private Map<String, Object> onVpcs(Map<String, Object> fieldReference) {
    return Samples.on(
        environment.demo().org().child("network").value(), Types.VPCS, fieldReference);
  }
}
