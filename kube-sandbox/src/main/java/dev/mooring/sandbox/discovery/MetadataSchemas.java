package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The components of OpenAPI documents that every kind refers to: those of {@code meta/v1}. */
final class MetadataSchemas {
  static final String PACKAGE = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final Map<String, Object> FILE =
      YamlText.resource(MetadataSchemas.class, "metadata-schemas.yaml");

  /** The fields that tell what an object is, in the same order in each JVM. */
  static final Map<String, Object> TYPE = type();

  static final Map<String, Object> ALL = Trees.mapOrEmpty(FILE.get("components"));

  private static final String METADATA_PAGE =
      "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

  private MetadataSchemas() {}

  private static Map<String, Object> type() {
    var fields = new LinkedHashMap<String, Object>();
    for (String name : List.of("apiVersion", "kind")) {
      var field = new LinkedHashMap<String, Object>();
      field.put("description", TypeDescriptions.ofEveryType(name));
      field.put("type", "string");
      fields.put(name, field);
    }
    return Collections.unmodifiableMap(fields);
  }

  /** The {@code metadata} of objects ({@code ObjectMeta}) or of lists ({@code ListMeta}). */
  static Map<String, Object> metadata(String name) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("description", "Standard object's metadata. More info: " + METADATA_PAGE);
    metadata.put("default", Map.of());
    metadata.put("allOf", List.of(ComponentSchemas.reference(PACKAGE + name)));
    return metadata;
  }
}
