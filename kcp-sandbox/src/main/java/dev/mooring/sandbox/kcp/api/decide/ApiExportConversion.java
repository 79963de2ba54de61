package dev.mooring.sandbox.kcp.api.decide;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.api.decide.ClaimConversion.Field;
import dev.mooring.sandbox.kcp.api.decide.ClaimConversion.Form;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** APIExports between {@code v1alpha1} and {@code v1alpha2}, which is the stored version. */
public final class ApiExportConversion {
  public static final String V1ALPHA1 = "apis.kcp.io/v1alpha1";
  public static final String V1ALPHA2 = "apis.kcp.io/v1alpha2";

  /** Holds resources that {@code v1alpha1} cannot express. */
  private static final String RESOURCES = "apis.v1alpha2.kcp.io/resource-schemas";

  /** Holds claims as {@code v1alpha2} has them. */
  private static final String CLAIMS = "apis.v1alpha2.kcp.io/permission-claims";

  static final String OLD_CLAIMS = "apis.v1alpha2.kcp.io/v1alpha1-permission-claims";

  private static final Field PERMISSION_CLAIMS =
      new Field(Form.OFFERED, CLAIMS, OLD_CLAIMS, "spec", "permissionClaims");

  private ApiExportConversion() {}

  /**
   * To {@code v1alpha2}; throws {@link IllegalArgumentException} for a schema name it cannot read.
   */
  public static KubeObject upgrade(KubeObject export) {
    KubeObject upgraded = PERMISSION_CLAIMS.upgrade(export, export.with(V1ALPHA2, "apiVersion"));
    List<Object> resources = new ArrayList<>();
    for (Object schema : export.list("spec", "latestResourceSchemas")) {
      resources.add(resource(Trees.textOrEmpty(schema)));
    }
    export
        .annotation(RESOURCES)
        .ifPresent(text -> resources.addAll(Trees.listOrEmpty(KubeJson.read(text))));
    upgraded = upgraded.without("spec", "latestResourceSchemas");
    if (!resources.isEmpty()) {
      upgraded = upgraded.with(resources, "spec", "resources");
    }
    return Annotations.without(upgraded, RESOURCES);
  }

  /** To {@code v1alpha1}. */
  public static KubeObject downgrade(KubeObject export) {
    KubeObject downgraded =
        PERMISSION_CLAIMS.downgrade(export, export.with(V1ALPHA1, "apiVersion"));
    List<Object> schemas = new ArrayList<>();
    List<Object> others = new ArrayList<>();
    for (Object item : export.list("spec", "resources")) {
      Object storage = Trees.at(item, "storage", "virtual");
      if (storage == null) {
        schemas.add(Trees.text(item, "schema"));
      } else {
        others.add(item);
      }
    }
    downgraded = downgraded.without("spec", "resources");
    if (!schemas.isEmpty()) {
      downgraded = downgraded.with(schemas, "spec", "latestResourceSchemas");
    }
    return others.isEmpty()
        ? downgraded
        : downgraded.with(KubeJson.writeText(others), "metadata", "annotations", RESOURCES);
  }

  private static Map<String, Object> resource(String schema) {
    String[] parts = schema.split("\\.", 3);
    if (parts.length < 3) {
      throw new IllegalArgumentException(
          "invalid schema \"" + schema + "\": must have at least 3 dot-separated segments");
    }
    var resource = new LinkedHashMap<String, Object>();
    resource.put("group", parts[2].equals("core") ? "" : parts[2]);
    resource.put("name", parts[1]);
    resource.put("schema", schema);
    resource.put("storage", Map.of("crd", Map.of()));
    return resource;
  }
}
