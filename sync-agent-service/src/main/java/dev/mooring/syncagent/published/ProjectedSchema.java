package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.ObjectSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A published type on both sides, and the schema that kcp serves it by.
 *
 * @param inKcp what consumers see
 * @param onService what it is on the service cluster, in the same shape: the same version
 * @param statusInKcp whether consumers' objects have the status subresource
 * @param schemaName content-addressed: equal specs have equal names, so undoing a change uses the
 *     old schema again
 * @param spec of the APIResourceSchema
 * @param sourceGeneration of the CRD
 * @param versions names of versions in kcp to those on the service cluster
 * @param approval value of the annotation without which kcp refuses schemas of Kubernetes' own
 *     groups; empty for all others
 * @param notices what is hardly meant
 */
public record ProjectedSchema(
    ApiType inKcp,
    ApiType onService,
    StatusSubresource statusInKcp,
    String schemaName,
    Map<String, Object> spec,
    long sourceGeneration,
    Map<String, String> versions,
    Optional<String> approval,
    List<SchemaNotice> notices) {
  /** APIResourceSchemas themselves. */
  public static final ResourceType TYPE =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas");

  /** On CRDs and APIResourceSchemas of groups below {@code k8s.io} and {@code kubernetes.io}. */
  public static final String APPROVAL = "api-approved.kubernetes.io";

  public ProjectedSchema {
    spec = Trees.freezeMap(spec);
    versions = Map.copyOf(versions);
    notices = List.copyOf(notices);
  }

  /**
   * The type as another of its schemas serves it, for as long as kcp still does: its own group,
   * names, scope, storage version and subresources.
   *
   * @param served an APIResourceSchema, of this type under whichever name
   * @return empty if its storage version is not one of those that are published now
   */
  public Optional<ProjectedSchema> servedBy(KubeObject served) {
    for (Object version : served.list("spec", "versions")) {
      String name = Trees.text(version, "name");
      if (Boolean.TRUE.equals(Trees.at(version, "storage")) && versions.containsKey(name)) {
        ResourceType service = onService.resource();
        return Optional.of(
            new ProjectedSchema(
                new ApiType(
                    new ResourceType(
                        served.text("spec", "group"), name, served.text("spec", "names", "plural")),
                    served.text("spec", "names", "kind"),
                    Scope.of(served.text("spec", "scope"))),
                new ApiType(
                    new ResourceType(service.group(), versions.get(name), service.resource()),
                    onService.kind(),
                    onService.scope()),
                StatusSubresource.of(version),
                served.name(),
                served.map("spec"),
                sourceGeneration,
                versions,
                approval,
                notices));
      }
    }
    return Optional.empty();
  }

  /** Of the version that is synced. */
  private ObjectSchema objectSchema() {
    return Trees.list(spec, "versions").stream()
        .filter(version -> Boolean.TRUE.equals(Trees.at(version, "storage")))
        .findFirst()
        .map(ObjectSchema::ofApiResourceSchema)
        .orElseThrow();
  }

  /**
   * With the paths that objects of the type cannot have.
   *
   * @param resource the PublishedResource, which can be read
   */
  public ProjectedSchema checked(KubeObject resource) {
    return new ProjectedSchema(
        inKcp,
        onService,
        statusInKcp,
        schemaName,
        spec,
        sourceGeneration,
        versions,
        approval,
        Stream.concat(
                notices.stream(),
                NamedFields.missing(resource, objectSchema(), _ -> Optional.empty()).stream()
                    .map(SchemaNotice::of))
            .toList());
  }

  /** Identifiers of related entries that look in a field that no object of the type can have. */
  public Set<String> misnamed(List<RelatedResource> related) {
    return IntStream.range(0, related.size())
        .filter(i ->
            notices.stream()
                .anyMatch(notice -> notice.field().startsWith("spec.related[" + i + "].object.")))
        .mapToObj(i -> related.get(i).identifier())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a type has the status subresource. */
  public enum StatusSubresource {
    PRESENT,
    ABSENT;

    static StatusSubresource of(Object version) {
      return Trees.at(version, "subresources", "status") != null ? PRESENT : ABSENT;
    }
  }

  /** The APIResourceSchema, marked as the agent's. */
  public KubeObject schema(String agentName) {
    var annotations = new LinkedHashMap<String, Object>();
    approval.ifPresent(value -> annotations.put(APPROVAL, value));
    annotations.put(SyncMarks.AGENT_NAME, agentName);
    annotations.put(SyncMarks.SOURCE_GENERATION, Long.toString(sourceGeneration));
    return KubeObject.of(TYPE, "APIResourceSchema", "", schemaName)
        .with(Map.of(SyncMarks.AGENT_NAME, agentName), "metadata", "labels")
        .with(annotations, "metadata", "annotations")
        .with(spec, "spec");
  }
}
