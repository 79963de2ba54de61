package dev.mooring.cli.published;

import dev.mooring.cli.manifest.Manifest;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.List;
import java.util.Optional;

/** PublishedResources among manifests, with the CustomResourceDefinitions of their types. */
public final class Publications {
  public static final String CRD_KIND = "CustomResourceDefinition";

  private final List<Manifest.Parsed> manifests;

  public Publications(List<Manifest.Parsed> manifests) {
    this.manifests = List.copyOf(manifests);
  }

  /** All, of any kind. */
  public List<Manifest.Parsed> manifests() {
    return manifests;
  }

  public List<Manifest.Parsed> resources() {
    return manifests.stream()
        .filter(manifest -> manifest.group().equals(PublishedResource.TYPE.group()))
        .filter(manifest -> manifest.object().kind().equals(PublishedResource.KIND))
        .toList();
  }

  public List<KubeObject> ofKind(String kind) {
    return manifests.stream()
        .map(Manifest.Parsed::object)
        .filter(object -> object.kind().equals(kind))
        .toList();
  }

  /** What the agent makes of a PublishedResource if the service cluster has the manifests' CRDs. */
  public Publication of(KubeObject resource, String defaultGroup) {
    Optional<KubeObject> crd =
        ofKind(CRD_KIND).stream()
            .filter(definition ->
                definition
                        .text("spec", "group")
                        .equals(resource.text("spec", "resource", "apiGroup"))
                    && definition
                        .text("spec", "names", "kind")
                        .equals(resource.text("spec", "resource", "kind")))
            .findFirst();
    Publication publication = Publication.of(resource, crd, defaultGroup);
    return isLackingCrd(publication)
        ? new Publication.Rejected(
            Publication.NOT_FOUND,
            "no file holds the CustomResourceDefinition of kind %s in group \"%s\"; name its file, too"
                .formatted(
                    resource.text("spec", "resource", "kind"),
                    resource.text("spec", "resource", "apiGroup")))
        : publication;
  }

  /** Whether the PublishedResource is valid, and only its CustomResourceDefinition is missing. */
  public static boolean isLackingCrd(Publication publication) {
    return publication instanceof Publication.Rejected(var reason, var _)
        && reason.equals(Publication.NOT_FOUND);
  }
}
