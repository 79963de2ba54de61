package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which fields of a PublishedResource's status the service cluster keeps: the Go agent's CRD knows
 * the schema's name alone, and what is pruned need not be written again and again.
 *
 * @param known empty if every field is kept, as far as is known
 */
public record StatusFields(Optional<Set<String>> known) {
  public static final StatusFields ALL = new StatusFields(Optional.empty());

  /** Of an agent that leaves reporting to others. */
  public static final StatusFields NONE = new StatusFields(Optional.of(Set.of()));

  /** Name of the CRD of PublishedResources. */
  public static final String CRD = "publishedresources." + PublishedResource.TYPE.group();

  public StatusFields {
    known = known.map(Set::copyOf);
  }

  /**
   * @param crd of PublishedResources; empty where it is none of the service cluster's own
   */
  public static StatusFields of(Optional<KubeObject> crd) {
    return crd.stream()
        .flatMap(definition -> definition.list("spec", "versions").stream())
        .filter(version -> PublishedResource.TYPE.version().equals(Trees.at(version, "name")))
        .map(version -> Trees.at(version, "schema", "openAPIV3Schema", "properties", "status"))
        .filter(Predicate.not(StatusFields::keepsEverything))
        .map(status -> new StatusFields(Optional.of(Trees.map(status, "properties").keySet())))
        .findFirst()
        .orElse(ALL);
  }

  private static boolean keepsEverything(Object status) {
    return status == null
        || Boolean.TRUE.equals(Trees.at(status, "x-kubernetes-preserve-unknown-fields"));
  }

  Map<String, Object> kept(Map<String, Object> status) {
    return known
        .map(fields ->
            status.entrySet().stream()
                .filter(field -> fields.contains(field.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
        .orElse(status);
  }
}
