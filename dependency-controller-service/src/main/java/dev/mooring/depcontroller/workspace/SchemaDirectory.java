package dev.mooring.depcontroller.workspace;

import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The versions that the APIResourceSchemas of workspaces serve. Caches only names and versions.
 * Thread-safe.
 */
public final class SchemaDirectory extends ClusterDirectory<VersionReading> {
  private static final InformerSpec SCHEMAS =
      InformerSpec.of(new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas"))
          .keeping(SchemaDirectory::versionsOnly);

  /**
   * @param changed runs when a schema may have changed; must not block
   */
  public SchemaDirectory(WorkspaceAccess workspaces, Runnable changed) {
    super(workspaces, SCHEMAS, "APIResourceSchemas", "schemas", changed);
  }

  @Override
  VersionReading reading(Optional<KubeObject> schema) {
    return new VersionReading.Served(schema.map(SchemaDirectory::served).orElseGet(TreeSet::new));
  }

  @Override
  VersionReading unreadable(String why) {
    return new VersionReading.Unreadable(why);
  }

  private static SortedSet<String> served(KubeObject schema) {
    var served = new TreeSet<String>();
    for (Object version : schema.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "served"))) {
        served.add(Trees.text(version, "name"));
      }
    }
    return served;
  }

  /** Drops the schema itself, which is most of the object. */
  private static KubeObject versionsOnly(KubeObject schema) {
    List<Object> versions =
        schema.list("spec", "versions").stream()
            .<Object>map(version ->
                Map.of(
                    "name", Trees.text(version, "name"),
                    "served", Boolean.TRUE.equals(Trees.at(version, "served"))))
            .toList();
    return schema.with(Map.of("versions", versions), "spec");
  }
}
