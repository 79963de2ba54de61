package dev.mooring.cli.demo;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/** Binds APIExports the way a consumer does who trusts the provider. */
final class Bindings {
  private final Kubectl kubectl;

  Bindings(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /** Binds the export as it is now, accepts all its claims, and waits until it is bound. */
  void bind(
      ClusterClient consumer, ClusterClient provider, DemoEnvironment environment, String export) {
    KubeObject offered =
        provider
            .client()
            .find(Types.API_EXPORTS, "", export)
            .orElseThrow(() ->
                new StoryFailure("There is no APIExport " + export + " in " + provider.name()));
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
