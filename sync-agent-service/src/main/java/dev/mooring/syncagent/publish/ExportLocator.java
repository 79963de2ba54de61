package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportRef;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import java.util.Optional;

/** Opens the workspace of the APIExport that the endpoint slice names. Thread-safe. */
public final class ExportLocator implements AutoCloseable {
  private final KubeConnection kcp;
  private final PublishSettings settings;
  private final ExportView view;
  private final Runnable changed;
  private volatile Optional<ExportWorkspace> workspace = Optional.empty();
  private Optional<ExportRef> opened = Optional.empty();
  private boolean closed;

  /**
   * @param changed called when the export or one of its schemas changes; must not block
   */
  public ExportLocator(
      KubeConnection kcp, PublishSettings settings, ExportView view, Runnable changed) {
    this.kcp = kcp;
    this.settings = settings;
    this.view = view;
    this.changed = changed;
  }

  /** The view may know another export. */
  public synchronized void update() {
    Optional<ExportRef> named = view.areSlicesListed() ? view.export() : Optional.empty();
    if (closed || named.isEmpty() || named.equals(opened)) {
      return;
    }
    workspace.ifPresent(ExportWorkspace::close);
    KubeClient client =
        named.get().path().map(path -> kcp.client(new WorkspacePath(path))).orElseGet(kcp::client);
    workspace =
        Optional.of(
            ExportWorkspace.open(client, named.get().name(), settings.agentName(), changed));
    opened = named;
  }

  /** Empty until the endpoint slice names the export. */
  Optional<ExportWorkspace> workspace() {
    return workspace;
  }

  /** Empty until slice and export were read, or a read failed: before, absence means nothing. */
  Optional<ExportLookup> lookup() {
    if (!view.areSlicesListed()) {
      return view.sliceFailure()
          .map(why ->
              new ExportLookup.Unreadable(
                  "APIExportEndpointSlice %s cannot be read yet: %s"
                      .formatted(settings.endpointSlice(), why.getMessage())));
    }
    update();
    return workspace
        .map(ExportWorkspace::lookup)
        .orElseGet(() ->
            Optional.of(
                new ExportLookup.Unknown(
                    "EndpointSliceNotFound",
                    "APIExportEndpointSlice "
                        + settings.endpointSlice()
                        + " was not seen in the workspace of the agent's kcp kubeconfig yet.")));
  }

  public boolean isSynced() {
    return view.areSlicesListed()
        && workspace.filter(opened -> opened.export().isSynced()).isPresent();
  }

  public Optional<KubeFailure> lastFailure() {
    return view.sliceFailure().or(() -> workspace.flatMap(opened -> opened.export().lastFailure()));
  }

  @Override
  public synchronized void close() {
    closed = true;
    workspace.ifPresent(ExportWorkspace::close);
  }
}
