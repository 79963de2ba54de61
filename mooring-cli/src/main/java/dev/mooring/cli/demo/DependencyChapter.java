package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Program;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;

/** A VPC cannot be deleted while a virtual machine of the same consumer refers to it. */
final class DependencyChapter {
  static final String NETWORK_EXPORT = "network.example.corp";
  static final String COMPUTE_EXPORT = "compute.example.corp";

  private static final String NAMESPACE = "default";
  private static final String VPC = "main";
  private static final String SUBNET = "frontend";
  private static final String MACHINE = "web-1";
  private static final String WEBHOOK_CONFIGURATION = "dependency-controller";
  private static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";

  private final DemoEnvironment environment;
  private final Narrator narrator;
  private final Kubectl kubectl;

  DependencyChapter(DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    this.environment = environment;
    this.narrator = narrator;
    this.kubectl = kubectl;
  }

  void tell() {
    narrator.chapter("Virtual machines and networks: dependency protection");
    prepare();
    narrator.step("team-blue builds a network and starts a machine in it", this::build);
    narrator.step("team-blue tries to delete the VPC: refused", this::refused);
    narrator.step("team-green has a VPC of that name and no machine: deleted", this::unconcerned);
    narrator.step("Once the machine is gone, team-blue's network may go, too", this::allowed);
  }

  /** What has to be there before a consumer builds anything. */
  void prepare() {
    narrator.step("The network and the compute provider export their APIs", this::export);
    narrator.step("Both let the dependency controller manage their webhooks", this::trust);
    narrator.step("The compute provider says what its virtual machines depend on", this::rule);
    narrator.step(
        "The controller has installed the webhook at the network provider", this::guarded);
    narrator.step("Both consumers bind both APIs", this::bind);
  }

  private void export() {
    kubectl.create(
        environment.network(), "network-apis.yaml", environment.manifest("network-apis.yaml"));
    kubectl.create(
        environment.compute(), "compute-apis.yaml", environment.manifest("compute-apis.yaml"));
    Readiness.awaitIdentity(kubectl, environment.network(), NETWORK_EXPORT);
    Readiness.awaitIdentity(kubectl, environment.compute(), COMPUTE_EXPORT);
  }

  private void trust() {
    Providers.bind(
        kubectl,
        environment.network(),
        environment.dependencies(),
        environment,
        SetUpChapter.DEPENDENCY_EXPORT);
    Providers.bind(
        kubectl,
        environment.compute(),
        environment.dependencies(),
        environment,
        SetUpChapter.DEPENDENCY_EXPORT);
  }

  private void rule() {
    kubectl.create(
        environment.compute(),
        "dependency-rule.yaml",
        environment.manifest("dependency-rule.yaml"));
  }

  private void guarded() {
    kubectl.await(
        environment.network(),
        Types.WEBHOOK_CONFIGURATIONS,
        "",
        WEBHOOK_CONFIGURATION,
        "intercepts the deletion of VPCs and Subnets",
        found -> guards(found, "vpcs") && guards(found, "subnets"),
        found -> "webhooks: " + names(found));
    environment.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
    narrator.remark("dependency-webhook-service reports that it has loaded the rules");
  }

  private static boolean guards(KubeObject configuration, String resource) {
    return configuration.list("webhooks").stream()
        .flatMap(webhook -> Trees.list(webhook, "rules").stream())
        .anyMatch(rule -> Trees.list(rule, "resources").contains(resource));
  }

  private static List<String> names(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(webhook -> Trees.text(webhook, "name"))
        .toList();
  }

  private void bind() {
    for (ClusterClient consumer : List.of(environment.blue(), environment.green())) {
      Providers.bind(kubectl, consumer, environment.network(), environment, NETWORK_EXPORT);
      Providers.bind(kubectl, consumer, environment.compute(), environment, COMPUTE_EXPORT);
    }
  }

  private void build() {
    kubectl.create(environment.blue(), "network.yaml", environment.manifest("network.yaml"));
    kubectl.create(
        environment.blue(), "virtual-machine.yaml", environment.manifest("virtual-machine.yaml"));
  }

  /** For those who look around: a VPC that cannot be deleted. */
  void rebuild() {
    narrator.chapter("team-blue builds its network and machine again");
    build();
  }

  private void refused() {
    String answer = kubectl.deleteRefused(environment.blue(), Types.VPCS, NAMESPACE, VPC);
    String expected = refusal("vpcs/" + VPC);
    HarnessFailure.unless(
        answer.endsWith(expected), "The refusal should have ended with: " + expected);
    answer = kubectl.deleteRefused(environment.blue(), Types.SUBNETS, NAMESPACE, SUBNET);
    expected = refusal("subnets/" + SUBNET);
    HarnessFailure.unless(
        answer.endsWith(expected), "The refusal should have ended with: " + expected);
    kubectl.awaitList(
        environment.blue(),
        Types.VPCS,
        NAMESPACE,
        "still include " + VPC,
        list -> list.size() == 1 && !list.getFirst().deleting(),
        DependencyChapter::row);
  }

  private static String refusal(String target) {
    return "admission webhook \""
        + WEBHOOK
        + "\" denied the request: cannot delete "
        + target
        + ": still referenced by VirtualMachine/"
        + MACHINE;
  }

  private void unconcerned() {
    kubectl.create(environment.green(), "network.yaml", environment.manifest("network.yaml"));
    kubectl.delete(environment.green(), Types.VPCS, NAMESPACE, VPC);
    kubectl.awaitGone(environment.green(), Types.VPCS, NAMESPACE, VPC);
  }

  private void allowed() {
    kubectl.delete(environment.blue(), Types.VIRTUAL_MACHINES, NAMESPACE, MACHINE);
    kubectl.awaitGone(environment.blue(), Types.VIRTUAL_MACHINES, NAMESPACE, MACHINE);
    kubectl.delete(environment.blue(), Types.SUBNETS, NAMESPACE, SUBNET);
    kubectl.delete(environment.blue(), Types.VPCS, NAMESPACE, VPC);
    kubectl.awaitGone(environment.blue(), Types.VPCS, NAMESPACE, VPC);
  }

  private static String row(KubeObject vpc) {
    return vpc.namespace()
        + "/"
        + vpc.name()
        + "   CIDR: "
        + vpc.text("spec", "cidr")
        + "   Region: "
        + vpc.text("spec", "region");
  }
}
