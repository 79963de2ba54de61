package dev.mooring.model.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

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
 */
public record ProjectedSchema(
    ApiType inKcp,
    ApiType onService,
    StatusSubresource statusInKcp,
    String schemaName,
    Map<String, Object> spec,
    long sourceGeneration) {
  /** APIResourceSchemas themselves. */
  public static final ResourceType TYPE =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas");

  public ProjectedSchema {
    Objects.requireNonNull(inKcp, "inKcp");
    Objects.requireNonNull(onService, "onService");
    Objects.requireNonNull(schemaName, "schemaName");
    spec = Trees.freezeMap(spec);
  }

  /** Whether a type has the status subresource. */
  public enum StatusSubresource {
    PRESENT,
    ABSENT
  }

  /** The APIResourceSchema, marked as the agent's. */
  public KubeObject schema(String agentName) {
    var root = new LinkedHashMap<String, Object>();
    root.put("apiVersion", TYPE.apiVersion());
    root.put("kind", "APIResourceSchema");
    root.put(
        "metadata",
        Map.of(
            "name", schemaName,
            "labels", Map.of(SyncMarks.AGENT_NAME, agentName),
            "annotations",
                Map.of(
                    SyncMarks.AGENT_NAME,
                    agentName,
                    SyncMarks.SOURCE_GENERATION,
                    Long.toString(sourceGeneration))));
    root.put("spec", spec);
    return KubeObject.of(root);
  }
}
