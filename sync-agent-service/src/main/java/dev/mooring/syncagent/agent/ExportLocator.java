package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportRef;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.syncagent.publish.ExportSource;
import dev.mooring.syncagent.publish.ExportWorkspace;
import java.util.Optional;

/** Opens the workspace of the APIExport that the endpoint slice names. Thread-safe. */
final class ExportLocator implements ExportSource, AutoCloseable {
  private final KubeConnection kcp;
  private final String agentName;
  private final ExportView view;
  private final Runnable changed;
  private volatile Optional<ExportWorkspace> workspace = Optional.empty();
  private Optional<ExportRef> opened = Optional.empty();
  private boolean closed;

  /**
   * @param changed called when the export or one of its schemas changes; must not block
   */
  ExportLocator(KubeConnection kcp, String agentName, ExportView view, Runnable changed) {
    this.kcp = kcp;
    this.agentName = agentName;
    this.view = view;
    this.changed = changed;
  }

  /** The view may know another export. */
  synchronized void update() {
    Optional<ExportRef> named = view.areSlicesListed() ? view.export() : Optional.empty();
    if (closed || named.isEmpty() || named.equals(opened)) {
      return;
    }
    workspace.ifPresent(ExportWorkspace::close);
    KubeClient client =
        named.get().path().map(path -> kcp.client(new WorkspacePath(path))).orElseGet(kcp::client);
    workspace = Optional.of(new ExportWorkspace(client, named.get().name(), agentName, changed));
    opened = named;
  }

  @Override
  public Optional<ExportWorkspace> workspace() {
    return workspace;
  }

  @Override
  public boolean isKnown() {
    return (view.areSlicesListed() || view.sliceFailure().isPresent())
        && workspace.map(w -> w.isSynced() || w.lastFailure().isPresent()).orElse(true);
  }

  boolean isSynced() {
    return view.areSlicesListed() && workspace.map(ExportWorkspace::isSynced).orElse(false);
  }

  Optional<KubeFailure> lastFailure() {
    return view.sliceFailure().or(() -> workspace.flatMap(ExportWorkspace::lastFailure));
  }

  @Override
  public synchronized void close() {
    closed = true;
    workspace.ifPresent(ExportWorkspace::close);
  }
}
