package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import java.util.List;

/** Everything of the story that happens before its consumers act: tests start from it. */
public final class Providers {
  private Providers() {}

  /** Makes the workspaces, starts the services, exports and binds all APIs, writes the rule. */
  public static void prepare(DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(environment, narrator, kubectl).tell();
    new CertificateChapter(environment, narrator, kubectl).prepare();
    new DependencyChapter(environment, narrator, kubectl).prepare();
  }

  /** As {@link #prepare}, without anything that only the sync agent needs. */
  public static void prepareProtection(
      DemoEnvironment environment, Narrator narrator, Kubectl kubectl) {
    new SetUpChapter(environment, narrator, kubectl).tellOfProtection();
    new DependencyChapter(environment, narrator, kubectl).prepare();
  }

  /** Lets the dependency controller judge the rules of, and about, one more provider. */
  public static void grant(Kubectl kubectl, DemoEnvironment environment, ClusterClient provider) {
    new Grants(environment, kubectl).provider(provider);
  }

  /**
   * Binds an export of another workspace of the environment, accepts its claims, waits until bound.
   */
  public static void bind(
      Kubectl kubectl,
      ClusterClient consumer,
      ClusterClient provider,
      DemoEnvironment environment,
      String export) {
    KubeObject offered =
        provider
            .client()
            .find(Types.API_EXPORTS, "", export)
            .orElseThrow(() ->
                new HarnessFailure("There is no APIExport " + export + " in " + provider.name()));
    kubectl.create(
        consumer,
        "binding-" + export + ".yaml",
        List.of(StoryObjects.bindingTo(environment.org().child(provider.name()), offered)));
    kubectl.await(
        consumer,
        Types.API_BINDINGS,
        "",
        export,
        "is bound",
        found -> found.text("status", "phase").equals("Bound"),
        found -> "phase: Bound");
  }
}
