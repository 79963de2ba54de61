package dev.mooring.depcontroller.workspace;

import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.ObjectSchema;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The versions that the APIResourceSchemas of workspaces serve, and which fields their objects can
 * have. Thread-safe.
 */
public final class SchemaDirectory extends ClusterDirectory<VersionReading> {
  private static final InformerSpec SCHEMAS =
      InformerSpec.of(new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas"))
          .keeping(SchemaDirectory::fieldsOnly);

  /**
   * @param changed runs when a schema may have changed; must not block
   */
  public SchemaDirectory(WorkspaceAccess workspaces, Runnable changed) {
    super(workspaces, SCHEMAS, "APIResourceSchemas", "schemas", changed);
  }

  @Override
  VersionReading reading(Optional<KubeObject> schema) {
    return new VersionReading.Served(schema.map(SchemaDirectory::served).orElseGet(TreeMap::new));
  }

  @Override
  VersionReading unreadable(String why) {
    return new VersionReading.Unreadable(why);
  }

  private static SortedMap<String, ObjectSchema> served(KubeObject schema) {
    var served = new TreeMap<String, ObjectSchema>();
    for (Object version : schema.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "served"))) {
        served.put(Trees.text(version, "name"), ObjectSchema.ofApiResourceSchema(version));
      }
    }
    return served;
  }

  /** Drops what no check needs, which is most of the object. */
  private static KubeObject fieldsOnly(KubeObject schema) {
    List<Object> versions =
        schema.list("spec", "versions").stream()
            .<Object>map(version ->
                Map.of(
                    "name", Trees.text(version, "name"),
                    "served", Boolean.TRUE.equals(Trees.at(version, "served")),
                    "schema", ObjectSchema.ofApiResourceSchema(version).fieldsOnly().root()))
            .toList();
    return schema.with(Map.of("versions", versions), "spec");
  }
}
