package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code autoscaling/v1} Scale, made from and written back to any object. Pure. */
final class ScaleMapper {
  private static final String API_VERSION = "autoscaling/v1";
  private static final String KIND = "Scale";

  private static final List<String> METADATA =
      List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp");

  /** A Scale of any object, as it is put and answered. */
  static final ResourceDefinition DEFINITION =
      ResourceDefinition.define(
              new ResourceType("autoscaling", "v1", "scales"),
              ResourceNames.of("scales", KIND),
              Scope.NAMESPACED)
          .columns(
              List.of(
                  PrinterColumn.NAME,
                  replicas("Desired", "Number of desired replicas", "spec"),
                  replicas("Available", "Number of actual replicas", "status"),
                  new PrinterColumn(
                      "Age",
                      "date",
                      "",
                      PrinterColumn.CREATED,
                      0,
                      scale -> Instant.parse(scale.text("metadata", "creationTimestamp")))))
          .build();

  private ScaleMapper() {}

  private static PrinterColumn replicas(String name, String description, String part) {
    return new PrinterColumn(
        name,
        "integer",
        "",
        description,
        0,
        scale -> scale.at(part, "replicas") instanceof Long number ? number : 0L);
  }

  static KubeObject of(KubeObject object, Subresource.Scale scale) {
    var metadata = new LinkedHashMap<String, Object>();
    for (String field : METADATA) {
      Object value = object.at("metadata", field);
      if (value != null) {
        metadata.put(field, value);
      }
    }
    var spec = new LinkedHashMap<String, Object>();
    Object replicas = at(object, scale.specReplicasPath());
    if (replicas != null && !replicas.equals(0L)) {
      spec.put("replicas", replicas);
    }
    var status = new LinkedHashMap<String, Object>();
    Object current = at(object, scale.statusReplicasPath());
    status.put("replicas", current == null ? 0L : current);
    if (!scale.selectorPath().isEmpty() && at(object, scale.selectorPath()) instanceof String s) {
      status.put("selector", s);
    }
    var tree = ObjectRenderer.head(API_VERSION, KIND, metadata);
    tree.put("spec", spec);
    tree.put("status", status);
    return KubeObject.of(tree);
  }

  /**
   * The object with the number of replicas that the scale asks for.
   *
   * @throws UnreadableObject if it asks for no number
   */
  static KubeObject applied(KubeObject object, KubeObject wished, Subresource.Scale scale) {
    long number =
        switch (wished.at("spec", "replicas")) {
          case null -> 0;
          case Long whole when whole == whole.intValue() -> whole;
          case Object _ -> throw unreadable();
        };
    KubeObject scaled = object.with(number, path(scale.specReplicasPath()));
    return wished.resourceVersion().isEmpty()
        ? scaled
        : scaled.with(wished.resourceVersion(), "metadata", "resourceVersion");
  }

  /** Throws {@link ApiFailure} 500 for an object that does not say how many replicas it wants. */
  static void requireReplicas(KubeObject object, Subresource.Scale scale) {
    if (at(object, scale.specReplicasPath()) == null) {
      throw ApiFailure.internal(
          "the spec replicas field \"%s\" does not exist".formatted(scale.specReplicasPath()));
    }
  }

  private static UnreadableObject unreadable() {
    return UnreadableObject.of(KIND, "v1", "spec.replicas must be a whole number of type int32");
  }

  private static @Nullable Object at(KubeObject object, String path) {
    return object.at(path(path));
  }

  /** The steps of a path such as {@code .spec.replicas}. */
  private static String[] path(String path) {
    return (path.startsWith(".") ? path.substring(1) : path).split("\\.");
  }
}
