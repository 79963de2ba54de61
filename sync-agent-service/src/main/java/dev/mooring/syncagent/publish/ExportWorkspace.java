package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Optional;

/**
 * The workspace of the APIExport, and the APIExport and the agent's schemas as last seen.
 * Thread-safe.
 */
final class ExportWorkspace implements AutoCloseable {
  static final ResourceType EXPORTS = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");

  private static final String BY_NAME = "name";

  private final KubeClient client;
  private final String exportName;
  private final Informer informer;

  /** Those with the agent's mark, without their specs. */
  private final Informer schemas;

  private ExportWorkspace(
      KubeClient client, String exportName, Informer informer, Informer schemas) {
    this.client = client;
    this.exportName = exportName;
    this.informer = informer;
    this.schemas = schemas;
  }

  /**
   * @param whenChanged called for every change of the export or a schema; must not block
   */
  static ExportWorkspace open(
      KubeClient client, String exportName, String agentName, Runnable whenChanged) {
    Informer informer =
        Informer.start(
            client,
            InformerSpec.of(EXPORTS).withFields("metadata.name=" + exportName),
            _ -> whenChanged.run());
    informer.synced().thenRun(whenChanged);
    Informer schemas =
        Informer.start(
            client,
            InformerSpec.of(ProjectedSchema.TYPE)
                .withLabels(SyncMarks.AGENT_NAME + "=" + agentName)
                .keeping(schema -> schema.without("spec"))
                .indexedBy(BY_NAME, schema -> List.of(schema.name())),
            _ -> whenChanged.run());
    return new ExportWorkspace(client, exportName, informer, schemas);
  }

  KubeClient client() {
    return client;
  }

  /** Empty until the export was listed or a list failed. */
  Optional<ExportLookup> lookup() {
    if (!informer.isSynced()) {
      return informer
          .lastFailure()
          .map(why ->
              new ExportLookup.Unreadable(
                  "APIExport " + exportName + " cannot be read yet: " + why.getMessage()));
    }
    return Optional.of(
        informer.cache().all().stream()
            .filter(export -> export.name().equals(exportName))
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
    return schemas.cache().indexed(BY_NAME, name).stream()
        .findFirst()
        .or(() -> client.find(ProjectedSchema.TYPE, "", name));
  }

  boolean isSynced() {
    return informer.isSynced();
  }

  Optional<KubeFailure> lastFailure() {
    return informer.lastFailure();
  }

  @Override
  public void close() {
    informer.close();
    schemas.close();
  }
}
