package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The workspaces, what the operators of the platform and the providers prepare, the services. */
final class SetUpChapter extends Chapter {
  /** As the chart ships it, for the service cluster. */
  private static final String PUBLISHED_RESOURCE_CRD =
      "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml";

  /** As the chart ships them, for the dependency workspace. */
  private static final List<String> DEPENDENCY_API =
      List.of("charts/mooring/kcp/apiresourceschema.yaml", "charts/mooring/kcp/apiexport.yaml");

  private static final List<String> WORKSPACES =
      List.of("dependencies", "certificates", "network", "compute", "team-blue", "team-green");

  SetUpChapter(Story story) {
    super(story);
  }

  void tell() {
    narrator.chapter("Workspaces and services");
    narrator.step(
        "Workspaces: three for providers, one for rules, two for consumers",
        () -> workspaces(WORKSPACES));
    narrator.step(
        "The platform's operators export the API of DependencyRules", this::exportDependencyApi);
    narrator.step(
        "The certificate provider: an empty APIExport in kcp, a CRD on the service cluster",
        this::prepareCertificates);
    narrator.step(
        "Each service is a user of its own, with the rights of the shipped manifests", this::grant);
    narrator.step("Mooring's three services start, each a process of its own", this::startServices);
  }

  /** The part of it that dependency protection needs. */
  void tellOfProtection() {
    narrator.chapter("Workspaces and services");
    narrator.step(
        "Workspaces: two for providers, one for rules, two for consumers",
        () ->
            workspaces(WORKSPACES.stream().filter(name -> !name.equals("certificates")).toList()));
    narrator.step(
        "The platform's operators export the API of DependencyRules", this::exportDependencyApi);
    narrator.step(
        "Each service is a user of its own, with the rights of the shipped manifests",
        () -> new Grants(environment, kubectl).dependencyServices());
    narrator.step(
        "The dependency controller and the webhook start, each a process of its own",
        this::startDependencyServices);
  }

  private void workspaces(List<String> names) {
    story.createWorkspace(environment.parent(), environment.org().name());
    story.awaitWorkspace(environment.parent(), environment.org().name());
    for (String name : names) {
      story.createWorkspace(environment.orgPlace(), name);
    }
    for (String name : names) {
      story.awaitWorkspace(environment.orgPlace(), name);
    }
  }

  private void exportDependencyApi() {
    kubectl.create(
        environment.dependencies(),
        "dependency-api.yaml",
        DEPENDENCY_API.stream()
            .flatMap(file -> Manifests.ofFile(environment.suite().layout().file(file)).stream())
            .toList());
    story.awaitIdentity(environment.dependencies(), Story.DEPENDENCY_EXPORT);
  }

  private void prepareCertificates() {
    story.create(environment.certificates(), "certificate-export.yaml");
    story.awaitIdentity(environment.certificates(), Story.CERTIFICATE_EXPORT);
    Path published = environment.suite().layout().file(PUBLISHED_RESOURCE_CRD);
    List<KubeObject> crds =
        Stream.concat(
                Manifests.ofFile(published).stream(),
                environment.manifest("certificate-crd.yaml").stream())
            .toList();
    kubectl.create(environment.serviceCluster(), "crds.yaml", crds);
    for (KubeObject crd : crds) {
      kubectl.await(
          environment.serviceCluster().ref(Types.CRDS, crd.name()),
          "is established",
          found -> found.hasCondition("Established"),
          found -> "Established: True");
    }
  }

  private void grant() {
    var grants = new Grants(environment, kubectl);
    grants.syncAgent();
    grants.dependencyServices();
    Stream.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)
        .filter(program -> environment.suite().userInKcp(program).isEmpty())
        .forEach(program ->
            narrator.remark(
                program.module()
                    + " has the administrator's rights: neither KCP_CLIENT_CA nor KCP_TOKENS is"
                    + " set"));
  }

  private void startServices() {
    Suite suite = environment.suite();
    suite.launchSyncAgent(environment.org().child("certificates"), Story.CERTIFICATE_EXPORT);
    startDependencyServices();
    for (Program program :
        List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)) {
      suite.awaitAlive(program);
      narrator.remark(
          program.module()
              + " runs as process "
              + suite.service(program).pid()
              + ", its log is "
              + suite.service(program).log());
    }
  }

  private void startDependencyServices() {
    Suite suite = environment.suite();
    suite.launchController(environment.org().child("dependencies"));
    suite.launchWebhook(environment.org().child("dependencies"));
    suite.awaitAlive(Program.DEPENDENCY_CONTROLLER);
    suite.awaitAlive(Program.DEPENDENCY_WEBHOOK);
  }
}
