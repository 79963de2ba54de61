package dev.mooring.demo;

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

  private final Stage stage;
  private final Narrator narrator;
  private final Kubectl kubectl;

  DependencyChapter(Stage stage, Narrator narrator, Kubectl kubectl) {
    this.stage = stage;
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
    kubectl.create(stage.network(), "network-apis.yaml", stage.manifest("network-apis.yaml"));
    kubectl.create(stage.compute(), "compute-apis.yaml", stage.manifest("compute-apis.yaml"));
    Readiness.awaitIdentity(kubectl, stage.network(), NETWORK_EXPORT);
    Readiness.awaitIdentity(kubectl, stage.compute(), COMPUTE_EXPORT);
  }

  private void trust() {
    Bindings bindings = new Bindings(kubectl);
    bindings.bind(stage.network(), stage.dependencies(), stage, SetUpChapter.DEPENDENCY_EXPORT);
    bindings.bind(stage.compute(), stage.dependencies(), stage, SetUpChapter.DEPENDENCY_EXPORT);
  }

  private void rule() {
    kubectl.create(stage.compute(), "dependency-rule.yaml", stage.manifest("dependency-rule.yaml"));
  }

  private void guarded() {
    kubectl.await(
        stage.network(),
        Types.WEBHOOK_CONFIGURATIONS,
        "",
        WEBHOOK_CONFIGURATION,
        "intercepts the deletion of VPCs and Subnets",
        found -> guards(found, "vpcs") && guards(found, "subnets"),
        found -> "webhooks: " + names(found));
    stage.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
    narrator.remark("dependency-webhook-service reports that it has loaded the rules");
  }

  private static boolean guards(KubeObject configuration, String resource) {
    return configuration.list("webhooks").stream()
        .flatMap(webhook -> Trees.listOrEmpty(Trees.at(webhook, "rules")).stream())
        .anyMatch(rule -> Trees.listOrEmpty(Trees.at(rule, "resources")).contains(resource));
  }

  private static List<String> names(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(webhook -> Trees.textOrEmpty(Trees.at(webhook, "name")))
        .toList();
  }

  private void bind() {
    Bindings bindings = new Bindings(kubectl);
    for (Place consumer : List.of(stage.blue(), stage.green())) {
      bindings.bind(consumer, stage.network(), stage, NETWORK_EXPORT);
      bindings.bind(consumer, stage.compute(), stage, COMPUTE_EXPORT);
    }
  }

  private void build() {
    kubectl.create(stage.blue(), "network.yaml", stage.manifest("network.yaml"));
    kubectl.create(stage.blue(), "virtual-machine.yaml", stage.manifest("virtual-machine.yaml"));
  }

  private void refused() {
    String answer = kubectl.deleteRefused(stage.blue(), Types.VPCS, NAMESPACE, VPC);
    String expected = refusal("vpcs/" + VPC);
    StoryFailure.unless(
        answer.endsWith(expected), "The refusal should have ended with: " + expected);
    answer = kubectl.deleteRefused(stage.blue(), Types.SUBNETS, NAMESPACE, SUBNET);
    expected = refusal("subnets/" + SUBNET);
    StoryFailure.unless(
        answer.endsWith(expected), "The refusal should have ended with: " + expected);
    kubectl.awaitList(
        stage.blue(),
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
    kubectl.create(stage.green(), "network.yaml", stage.manifest("network.yaml"));
    kubectl.delete(stage.green(), Types.VPCS, NAMESPACE, VPC);
    kubectl.awaitGone(stage.green(), Types.VPCS, NAMESPACE, VPC);
  }

  private void allowed() {
    kubectl.delete(stage.blue(), Types.VIRTUAL_MACHINES, NAMESPACE, MACHINE);
    kubectl.awaitGone(stage.blue(), Types.VIRTUAL_MACHINES, NAMESPACE, MACHINE);
    kubectl.delete(stage.blue(), Types.SUBNETS, NAMESPACE, SUBNET);
    kubectl.delete(stage.blue(), Types.VPCS, NAMESPACE, VPC);
    kubectl.awaitGone(stage.blue(), Types.VPCS, NAMESPACE, VPC);
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
