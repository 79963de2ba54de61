package dev.mooring.demo;

import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The workspaces, what the operators of the platform and the providers prepare, the services. */
final class SetUpChapter {
  /** As the chart ships it, for the service cluster. */
  private static final String PUBLISHED_RESOURCE_CRD =
      "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml";

  /** As the chart ships them, for the dependency workspace. */
  private static final List<String> DEPENDENCY_API =
      List.of("charts/mooring/kcp/apiresourceschema.yaml", "charts/mooring/kcp/apiexport.yaml");

  static final String DEPENDENCY_EXPORT = "dependencies.opendefense.cloud";
  static final String CERTIFICATE_EXPORT = "certificates.example.corp";

  private static final List<String> WORKSPACES =
      List.of("dependencies", "certificates", "network", "compute", "team-blue", "team-green");

  private final Stage stage;
  private final Narrator narrator;
  private final Kubectl kubectl;

  SetUpChapter(Stage stage, Narrator narrator, Kubectl kubectl) {
    this.stage = stage;
    this.narrator = narrator;
    this.kubectl = kubectl;
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
        () -> new Grants(stage, kubectl).dependencyServices());
    narrator.step(
        "The dependency controller and the webhook start, each a process of its own",
        () -> {
          stage.suite().launchController(stage.org().child("dependencies"));
          stage.suite().launchWebhook(stage.org().child("dependencies"));
          stage.suite().awaitAlive(Program.DEPENDENCY_CONTROLLER);
          stage.suite().awaitAlive(Program.DEPENDENCY_WEBHOOK);
        });
  }

  private void workspaces(List<String> names) {
    createWorkspace(stage.parent(), stage.org());
    awaitWorkspace(stage.parent(), stage.org());
    for (String name : names) {
      createWorkspace(stage.orgPlace(), stage.org().child(name));
    }
    for (String name : names) {
      awaitWorkspace(stage.orgPlace(), stage.org().child(name));
    }
  }

  private void createWorkspace(Place parent, WorkspacePath path) {
    kubectl.create(
        parent, "workspace-" + path.name() + ".yaml", List.of(StoryObjects.workspace(path.name())));
  }

  private void awaitWorkspace(Place parent, WorkspacePath path) {
    kubectl.await(
        parent,
        Types.WORKSPACES,
        "",
        path.name(),
        "is ready",
        workspace -> workspace.text("status", "phase").equals("Ready"),
        workspace -> "phase: Ready   logical cluster: " + workspace.text("spec", "cluster"));
  }

  private void exportDependencyApi() {
    kubectl.create(
        stage.dependencies(),
        "dependency-api.yaml",
        DEPENDENCY_API.stream()
            .flatMap(file -> Manifests.ofFile(stage.suite().layout().file(file)).stream())
            .toList());
    Readiness.awaitIdentity(kubectl, stage.dependencies(), DEPENDENCY_EXPORT);
  }

  private void prepareCertificates() {
    kubectl.create(
        stage.certificates(), "certificate-export.yaml", stage.manifest("certificate-export.yaml"));
    Readiness.awaitIdentity(kubectl, stage.certificates(), CERTIFICATE_EXPORT);
    Path published = stage.suite().layout().file(PUBLISHED_RESOURCE_CRD);
    List<KubeObject> crds =
        Stream.concat(
                Manifests.ofFile(published).stream(),
                stage.manifest("certificate-crd.yaml").stream())
            .toList();
    kubectl.create(stage.serviceCluster(), "crds.yaml", crds);
    for (KubeObject crd : crds) {
      Readiness.awaitEstablished(kubectl, stage.serviceCluster(), crd.name());
    }
  }

  private void grant() {
    var grants = new Grants(stage, kubectl);
    grants.syncAgent();
    grants.dependencyServices();
    Stream.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK)
        .filter(program -> stage.suite().userInKcp(program).isEmpty())
        .forEach(program ->
            narrator.remark(
                program.module()
                    + " has the administrator's rights: neither KCP_CLIENT_CA nor KCP_TOKENS is"
                    + " set"));
  }

  private void startServices() {
    Suite suite = stage.suite();
    suite.launchSyncAgent(stage.org().child("certificates"), CERTIFICATE_EXPORT);
    suite.launchController(stage.org().child("dependencies"));
    suite.launchWebhook(stage.org().child("dependencies"));
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
}
