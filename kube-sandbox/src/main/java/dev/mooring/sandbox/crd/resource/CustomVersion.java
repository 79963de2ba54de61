package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.Subresource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of a custom resource, as CustomResourceDefinitions and APIResourceSchemas describe
 * them.
 *
 * @param deprecation the warning that every use of the version earns, if it is deprecated
 * @param schema an OpenAPI v3 schema
 * @param columns {@code additionalPrinterColumns} as written
 * @param selectableFields which fields a selector may use, each with its path of map keys
 */
public record CustomVersion(
    String name,
    Serving serving,
    Optional<String> deprecation,
    Map<String, Object> schema,
    StatusPart status,
    Optional<Subresource.Scale> scale,
    List<Map<String, Object>> columns,
    Map<String, List<String>> selectableFields) {

  public CustomVersion {
    columns = List.copyOf(columns);
    selectableFields = Collections.unmodifiableMap(new LinkedHashMap<>(selectableFields));
  }

  /** Whether clients see the version. */
  public enum Serving {
    SERVED,
    HIDDEN
  }

  /** Whether status is written apart from the rest. */
  public enum StatusPart {
    SUBRESOURCE,
    FIELD
  }

  /**
   * @param version an entry of {@code spec.versions}
   * @param schema where that kind of object keeps the version's schema
   * @param successor what the deprecation warning that Kubernetes words itself advises to use; may
   *     be empty
   */
  public static CustomVersion read(
      Map<String, Object> version,
      Map<String, Object> schema,
      String group,
      String kind,
      Optional<String> successor) {
    String name = Trees.text(version, "name");
    Map<String, Object> subresources = Trees.map(version, "subresources");
    var selectable = new LinkedHashMap<String, List<String>>();
    for (Object field : Trees.list(version, "selectableFields")) {
      String path = Trees.text(field, "jsonPath");
      String dotted = path.startsWith(".") ? path.substring(1) : path;
      selectable.put(dotted, List.of(dotted.split("\\.")));
    }
    return new CustomVersion(
        name,
        Boolean.TRUE.equals(version.get("served")) ? Serving.SERVED : Serving.HIDDEN,
        deprecation(
            version,
            "%s/%s %s is deprecated".formatted(group, name, kind)
                + successor.map(next -> "; use %s/%s %s".formatted(group, next, kind)).orElse("")),
        schema,
        subresources.get("status") instanceof Map<?, ?> ? StatusPart.SUBRESOURCE : StatusPart.FIELD,
        scale(subresources.get("scale")),
        Trees.list(version, "additionalPrinterColumns").stream().map(Trees::mapOrEmpty).toList(),
        selectable);
  }

  private static Optional<String> deprecation(Map<String, Object> version, String common) {
    if (!Boolean.TRUE.equals(version.get("deprecated"))) {
      return Optional.empty();
    }
    return Optional.of(version.get("deprecationWarning") instanceof String own ? own : common);
  }

  private static Optional<Subresource.Scale> scale(@Nullable Object scale) {
    return scale instanceof Map<?, ?>
        ? Optional.of(
            new Subresource.Scale(
                Trees.text(scale, "specReplicasPath"),
                Trees.text(scale, "statusReplicasPath"),
                Trees.text(scale, "labelSelectorPath")))
        : Optional.empty();
  }
}
