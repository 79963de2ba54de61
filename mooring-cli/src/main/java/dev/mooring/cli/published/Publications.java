package dev.mooring.cli.published;

import dev.mooring.cli.manifest.Manifest;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.ObjectSchema;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * PublishedResources among manifests, with the CustomResourceDefinitions of their types.
 *
 * @param manifests all, of any kind
 */
public record Publications(List<Manifest.Parsed> manifests) {
  public static final String CRD_KIND = "CustomResourceDefinition";

  public Publications {
    manifests = List.copyOf(manifests);
  }

  public List<Manifest.Parsed> resources() {
    return manifests.stream()
        .filter(manifest -> manifest.group().equals(PublishedResource.TYPE.group()))
        .filter(manifest -> manifest.object().kind().equals(PublishedResource.KIND))
        .toList();
  }

  /** PublishedResources; without any, one for each CustomResourceDefinition. */
  public List<KubeObject> resourcesOrDefinitions() {
    List<KubeObject> resources = resources().stream().map(Manifest.Parsed::object).toList();
    return resources.isEmpty()
        ? ofKind(CRD_KIND).stream().map(Publications::publishing).toList()
        : resources;
  }

  /** A PublishedResource that publishes a CustomResourceDefinition as it is. */
  public static KubeObject publishing(KubeObject crd) {
    return KubeObject.of(PublishedResource.TYPE, PublishedResource.KIND, "", crd.name())
        .with(
            Map.of(
                "apiGroup", crd.text("spec", "group"),
                "kind", crd.text("spec", "names", "kind")),
            "spec",
            "resource");
  }

  public List<KubeObject> ofKind(String kind) {
    return manifests.stream()
        .map(Manifest.Parsed::object)
        .filter(object -> object.kind().equals(kind))
        .toList();
  }

  /**
   * The schema of a type in kcp, by an APIResourceSchema, a PublishedResource, or a
   * CustomResourceDefinition; empty if no manifest describes this version, or several
   * APIResourceSchemas do. If there are APIExports, only the schemas that they list count.
   */
  public Optional<ObjectSchema> schema(ResourceType type) {
    List<KubeObject> exports = ofKind("APIExport");
    Set<String> exported =
        exports.stream()
            .flatMap(export -> ExportFacts.of(export).schemas().values().stream())
            .collect(Collectors.toSet());
    List<ObjectSchema> inKcp =
        ofKind("APIResourceSchema").stream()
            .filter(schema -> exports.isEmpty() || exported.contains(schema.name()))
            .flatMap(schema -> schema(schema.map("spec"), type).stream())
            .distinct()
            .toList();
    if (inKcp.size() > 1) {
      return Optional.empty();
    }
    Stream<Map<String, Object>> projected =
        resources().stream()
            .map(resource -> of(resource.object(), ""))
            .flatMap(publication ->
                publication instanceof Publication.Ready(var _, var schema)
                    ? Stream.of(schema.spec())
                    : Stream.of());
    Stream<Map<String, Object>> definitions = ofKind(CRD_KIND).stream().map(crd -> crd.map("spec"));
    return Stream.concat(
            inKcp.stream(),
            Stream.concat(projected, definitions).flatMap(spec -> schema(spec, type).stream()))
        .findFirst();
  }

  private static Optional<ObjectSchema> schema(Map<String, Object> spec, ResourceType type) {
    return Trees.text(spec, "group").equals(type.group())
            && Trees.text(spec, "names", "plural").equals(type.resource())
        ? schema(spec, type.version())
        : Optional.empty();
  }

  /**
   * The schema of one version.
   *
   * @param spec of an APIResourceSchema or a CustomResourceDefinition
   */
  public static Optional<ObjectSchema> schema(Map<String, Object> spec, String version) {
    return Trees.list(spec, "versions").stream()
        .filter(each -> Trees.text(each, "name").equals(version))
        .findFirst()
        .map(each ->
            Trees.at(each, "schema", "openAPIV3Schema") == null
                ? ObjectSchema.ofApiResourceSchema(each)
                : ObjectSchema.ofCrd(each));
  }

  /** What the agent makes of a PublishedResource if the service cluster has the manifests' CRDs. */
  public Publication of(KubeObject resource, String defaultGroup) {
    Optional<KubeObject> crd =
        ofKind(CRD_KIND).stream().filter(definition -> defines(definition, resource)).findFirst();
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

  /** Whether a CustomResourceDefinition is that of a PublishedResource's type. */
  static boolean defines(KubeObject crd, KubeObject resource) {
    return crd.text("spec", "group").equals(resource.text("spec", "resource", "apiGroup"))
        && crd.text("spec", "names", "kind").equals(resource.text("spec", "resource", "kind"));
  }

  /** Whether the PublishedResource is valid, and only its CustomResourceDefinition is missing. */
  public static boolean isLackingCrd(Publication publication) {
    return publication instanceof Publication.Rejected(var reason, var _)
        && reason.equals(Publication.NOT_FOUND);
  }
}
