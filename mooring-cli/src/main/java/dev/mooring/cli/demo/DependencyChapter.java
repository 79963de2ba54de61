package dev.mooring.cli.demo;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Program;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;

/** A VPC cannot be deleted while a virtual machine of the same consumer refers to it. */
final class DependencyChapter extends Chapter {
  private static final String NAMESPACE = "default";
  private static final String VPC = "main";
  private static final String SUBNET = "frontend";
  private static final String MACHINE = "web-1";
  private static final String WEBHOOK_CONFIGURATION = "dependency-controller";
  private static final String WEBHOOK = "dependency-controller.dependencies.opendefense.cloud";

  DependencyChapter(Story story) {
    super(story);
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
    story.create(environment.network(), "network-apis.yaml");
    story.create(environment.compute(), "compute-apis.yaml");
    story.awaitIdentity(environment.network(), Story.NETWORK_EXPORT);
    story.awaitIdentity(environment.compute(), Story.COMPUTE_EXPORT);
  }

  private void trust() {
    for (ClusterClient provider : List.of(environment.network(), environment.compute())) {
      story.bind(provider, environment.dependencies(), Story.DEPENDENCY_EXPORT);
    }
  }

  private void rule() {
    story.create(environment.compute(), "dependency-rule.yaml");
  }

  private void guarded() {
    kubectl.await(
        environment.network().ref(Types.WEBHOOK_CONFIGURATIONS, WEBHOOK_CONFIGURATION),
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
    for (ClusterClient consumer : environment.consumers()) {
      story.bind(consumer, environment.network(), Story.NETWORK_EXPORT);
      story.bind(consumer, environment.compute(), Story.COMPUTE_EXPORT);
    }
  }

  private void build() {
    story.create(environment.blue(), "network.yaml", "virtual-machine.yaml");
  }

  /** For those who look around: a VPC that cannot be deleted. */
  void rebuild() {
    narrator.chapter("team-blue builds its network and machine again");
    build();
  }

  private void refused() {
    refused(vpc(environment.blue()));
    refused(subnet());
    kubectl.awaitList(
        environment.blue(),
        Types.VPCS,
        NAMESPACE,
        "still include " + VPC,
        list -> list.size() == 1 && !list.getFirst().deleting(),
        DependencyChapter::row);
  }

  private void refused(Ref target) {
    String expected =
        "admission webhook \"%s\" denied the request: cannot delete %s/%s: still referenced by VirtualMachine/%s"
            .formatted(WEBHOOK, target.type().resource(), target.name(), MACHINE);
    HarnessFailure.unless(
        kubectl.deleteRefused(target).endsWith(expected),
        "The refusal should have ended with: " + expected);
  }

  private void unconcerned() {
    story.create(environment.green(), "network.yaml");
    kubectl.delete(vpc(environment.green()));
    kubectl.awaitGone(vpc(environment.green()));
  }

  private void allowed() {
    Ref machine = environment.blue().ref(Types.VIRTUAL_MACHINES, NAMESPACE, MACHINE);
    kubectl.delete(machine);
    kubectl.awaitGone(machine);
    kubectl.delete(subnet());
    kubectl.delete(vpc(environment.blue()));
    kubectl.awaitGone(vpc(environment.blue()));
  }

  private static Ref vpc(ClusterClient consumer) {
    return consumer.ref(Types.VPCS, NAMESPACE, VPC);
  }

  private Ref subnet() {
    return environment.blue().ref(Types.SUBNETS, NAMESPACE, SUBNET);
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
