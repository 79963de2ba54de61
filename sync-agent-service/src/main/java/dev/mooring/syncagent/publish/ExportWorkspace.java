package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Optional;

/** The workspace of the APIExport, and the APIExport as last seen. Thread-safe. */
public final class ExportWorkspace implements AutoCloseable {
  static final ResourceType EXPORTS = new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");

  private final KubeClient client;
  private final String exportName;
  private final Informer informer;

  /**
   * @param whenChanged called for every change of the export; must not block
   */
  public ExportWorkspace(KubeClient client, String exportName, Runnable whenChanged) {
    this.client = client;
    this.exportName = exportName;
    this.informer =
        Informer.start(
            client,
            InformerSpec.of(EXPORTS).withFields("metadata.name=" + exportName),
            _ -> whenChanged.run());
    informer.synced().thenRun(whenChanged);
  }

  KubeClient client() {
    return client;
  }

  public String exportName() {
    return exportName;
  }

  /** Empty if it does not exist; meaningful only while {@link #isSynced}. */
  Optional<KubeObject> export() {
    return informer.cache().all().stream()
        .filter(export -> export.name().equals(exportName))
        .findFirst();
  }

  public boolean isSynced() {
    return informer.isSynced();
  }

  public Optional<KubeFailure> lastFailure() {
    return informer.lastFailure();
  }

  @Override
  public void close() {
    informer.close();
  }
}
