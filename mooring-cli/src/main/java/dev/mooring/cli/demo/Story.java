package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The requests of which the story is made, and all that happens before its consumers act. */
public record Story(DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
  static final String DEPENDENCY_EXPORT = "dependencies.opendefense.cloud";
  static final String CERTIFICATE_EXPORT = "certificates.example.corp";
  static final String NETWORK_EXPORT = "network.example.corp";
  static final String COMPUTE_EXPORT = "compute.example.corp";

  /**
   * @param patience how long to wait for one state
   */
  public static Story of(DemoEnvironment environment, Narrator narrator, Duration patience) {
    Suite suite = environment.suite();
    Path manifests = suite.directory().resolve("manifests");
    return new Story(
        environment, narrator, new Kubectl(narrator, manifests, suite::requireAllAlive, patience));
  }

  /** Makes the workspaces, starts the services, exports and binds all APIs, writes the rule. */
  public void prepare() {
    new SetUpChapter(this).tell();
    new CertificateChapter(this).prepare();
    new DependencyChapter(this).prepare();
  }

  /** As {@link #prepare}, without anything that only the sync agent needs. */
  public void prepareProtection() {
    new SetUpChapter(this).tellOfProtection();
    new DependencyChapter(this).prepare();
  }

  /** Lets the dependency controller judge the rules of, and about, one more provider. */
  public void grant(ClusterClient provider) {
    new Grants(environment, kubectl).provider(provider);
  }

  /**
   * Binds an export of another workspace of the environment, accepts its claims, waits until bound.
   */
  public void bind(ClusterClient consumer, ClusterClient provider, String export) {
    KubeObject offered =
        provider
            .client()
            .find(Types.API_EXPORTS, "", export)
            .orElseThrow(() ->
                new HarnessFailure("There is no APIExport " + export + " in " + provider.name()));
    kubectl.create(consumer, "binding-" + export + ".yaml", List.of(bindingTo(provider, offered)));
    kubectl.await(
        consumer.ref(Types.API_BINDINGS, export),
        "is bound",
        found -> found.text("status", "phase").equals("Bound"),
        found -> "phase: Bound");
  }

  /** Accepts every permission that the export claims now. */
  private KubeObject bindingTo(ClusterClient provider, KubeObject export) {
    List<Map<String, Object>> accepted =
        export.list("spec", "permissionClaims").stream()
            .map(claim -> {
              Map<String, Object> choice = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
              choice.put("selector", Map.of("matchAll", true));
              choice.put("state", "Accepted");
              return choice;
            })
            .toList();
    String path = environment.org().child(provider.name()).value();
    return KubeObject.of(Types.API_BINDINGS, "APIBinding", "", export.name())
        .with(Trees.ordered("path", path, "name", export.name()), "spec", "reference", "export")
        .with(accepted, "spec", "permissionClaims");
  }

  /** Creates the objects of the demo's manifests of these names. */
  void create(ClusterClient cluster, String... manifests) {
    for (String file : manifests) {
      kubectl.create(cluster, file, environment.manifest(file));
    }
  }

  public void createWorkspace(ClusterClient parent, String name) {
    kubectl.create(
        parent,
        "workspace-" + name + ".yaml",
        Manifests.ofResource("/demo/workspace.yaml", Map.of("name", name)));
  }

  public void awaitWorkspace(ClusterClient parent, String name) {
    kubectl.await(
        parent.ref(Types.WORKSPACES, name),
        "is ready",
        workspace -> workspace.text("status", "phase").equals("Ready"),
        workspace -> "phase: Ready   logical cluster: " + workspace.text("spec", "cluster"));
  }

  void awaitIdentity(ClusterClient provider, String export) {
    kubectl.await(
        provider.ref(Types.API_EXPORTS, export),
        "has an identity",
        found -> !found.text("status", "identityHash").isEmpty(),
        found -> "identityHash: " + found.text("status", "identityHash"));
  }
}
