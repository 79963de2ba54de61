package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Optional;

/**
 * The workspace of the APIExport, and the APIExport and the agent's schemas as last seen.
 * Thread-safe.
 *
 * @param schemas those with the agent's mark, without their specs
 */
record ExportWorkspace(KubeClient client, String exportName, Informer export, Informer schemas)
    implements AutoCloseable {
  static final ResourceType EXPORTS = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");

  /**
   * @param whenChanged called for every change of the export or a schema; must not block
   */
  static ExportWorkspace open(
      KubeClient client, String exportName, String agentName, Runnable whenChanged) {
    Informer export =
        Informer.start(
            client,
            InformerSpec.of(EXPORTS).withFields("metadata.name=" + exportName),
            _ -> whenChanged.run());
    export.synced().thenRun(whenChanged);
    Informer schemas =
        Informer.start(
            client,
            InformerSpec.of(ProjectedSchema.TYPE)
                .withLabels(SyncMarks.AGENT_NAME + "=" + agentName)
                .keeping(schema -> schema.without("spec")),
            _ -> whenChanged.run());
    return new ExportWorkspace(client, exportName, export, schemas);
  }

  /** Empty until the export was listed or a list failed. */
  Optional<ExportLookup> lookup() {
    if (!export.isSynced()) {
      return export
          .lastFailure()
          .map(why ->
              new ExportLookup.Unreadable(
                  "APIExport " + exportName + " cannot be read yet: " + why.getMessage()));
    }
    return Optional.of(
        export.cache().all().stream()
            .filter(found -> found.name().equals(exportName))
            .findFirst()
            .<ExportLookup>map(ExportLookup.Found::new)
            .orElseGet(() ->
                new ExportLookup.Unknown(
                    "ExportNotFound", "There is no APIExport " + exportName + "; create it.")));
  }

  /**
   * From memory, without its spec, if it is one of the agent's that the watch shows; asked for if
   * not.
   */
  Optional<KubeObject> schema(String name) {
    return schemas.cache().find("", name).or(() -> client.find(ProjectedSchema.TYPE, "", name));
  }

  @Override
  public void close() {
    export.close();
    schemas.close();
  }
}
