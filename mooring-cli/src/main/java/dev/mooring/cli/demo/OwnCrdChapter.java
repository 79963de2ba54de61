package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Publishes a CRD that the user brings, and follows one object of it down and away. */
final class OwnCrdChapter {
  private static final String CLUSTER_LABEL = "syncagent.kcp.io/remote-object-cluster";

  private final DemoEnvironment environment;
  private final Narrator narrator;
  private final Kubectl kubectl;
  private final KubeObject crd;
  private final KubeObject sample;
  private final ResourceType type;

  /**
   * @param sample empty to make one up from the CRD's schema
   */
  OwnCrdChapter(
      DemoEnvironment environment,
      Narrator narrator,
      Kubectl kubectl,
      KubeObject crd,
      Optional<KubeObject> sample) {
    this.environment = environment;
    this.narrator = narrator;
    this.kubectl = kubectl;
    this.crd = crd;
    this.type = SampleObject.type(crd);
    this.sample = sample.orElseGet(() -> SampleObject.of(crd));
  }

  void tell() {
    String kind = crd.text("spec", "names", "kind");
    narrator.chapter("A CRD of your own: " + crd.name());
    narrator.step("The service owner installs and publishes it", this::publish);
    narrator.step("A consumer that is bound already is offered " + kind + ", too", this::offered);
    narrator.step("team-blue creates the smallest " + kind + " its schema allows", this::create);
    narrator.step("It arrives on the service cluster as it was written", this::arrives);
    narrator.step("Deleted by the consumer, it goes there, too", this::delete);
  }

  private void publish() {
    kubectl.create(environment.serviceCluster(), "own-crd.yaml", List.of(crd));
    Readiness.awaitEstablished(kubectl, environment.serviceCluster(), crd.name());
    new Grants(environment, kubectl).published(type);
    kubectl.create(
        environment.serviceCluster(),
        "own-published-resource.yaml",
        Manifests.ofResource(
            "/demo/published-crd.yaml",
            Map.of(
                "group", type.group(),
                "kind", crd.text("spec", "names", "kind"),
                "version", type.version())));
    kubectl.await(
        environment.certificates(),
        Types.API_EXPORTS,
        "",
        SetUpChapter.CERTIFICATE_EXPORT,
        "offers " + type.qualified(),
        found ->
            found.list("spec", "resources").stream()
                .anyMatch(resource ->
                    type.resource().equals(Trees.at(resource, "name"))
                        && type.group().equals(Trees.at(resource, "group"))),
        found -> "resources: " + found.list("spec", "resources").size());
  }

  private void offered() {
    kubectl.awaitList(
        environment.blue(), type, "", "can be listed", list -> list.isEmpty(), OwnCrdChapter::row);
  }

  private void create() {
    kubectl.create(environment.blue(), "own-sample.yaml", type, sample);
  }

  private void arrives() {
    List<KubeObject> copies =
        kubectl.awaitList(
            environment.serviceCluster(),
            type,
            "",
            "include the copy",
            list -> list.size() == 1,
            OwnCrdChapter::row);
    KubeObject copy = copies.getFirst();
    KubeObject original =
        environment
            .blue()
            .client()
            .find(type, sample.namespace(), sample.name())
            .orElseThrow(() -> new HarnessFailure("The consumer's object has vanished."));
    HarnessFailure.unless(
        Objects.equals(copy.at("spec"), original.at("spec")),
        "The copy's spec is not the original's.");
    HarnessFailure.unless(
        copy.labels().containsKey(CLUSTER_LABEL), "The copy does not say whose copy it is.");
  }

  private void delete() {
    kubectl.delete(environment.blue(), type, sample.namespace(), sample.name());
    kubectl.awaitGone(environment.blue(), type, sample.namespace(), sample.name());
    kubectl.awaitList(
        environment.serviceCluster(),
        type,
        "",
        "are gone",
        list -> list.isEmpty(),
        OwnCrdChapter::row);
  }

  private static String row(KubeObject object) {
    return object.namespace().isEmpty() ? object.name() : object.namespace() + "/" + object.name();
  }
}
