package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.SliceSettling;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.EndpointSlice;
import dev.mooring.syncagent.publish.ExportSource;
import dev.mooring.syncagent.publish.ExportWorkspace;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the APIExportEndpointSlice: where the APIExport is, and the addresses of its virtual
 * workspace. A slice that is deleted takes nothing away: its last endpoints stay. Thread-safe.
 */
final class ExportLocator implements ExportSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExportLocator.class);

  private final KubeConnection kcp;
  private final Clusters clusters;
  private final String agentName;
  private final EndpointOverrides overrides;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Runnable changed;
  private final Informer informer;
  private volatile Optional<ExportWorkspace> workspace = Optional.empty();
  private Optional<EndpointSlice> last = Optional.empty();
  private SliceSettling newSlice;

  /**
   * @param clock of waits, which no change of the machine's time touches
   * @param changed called when the export, or what is known of it, changes; must not block
   */
  ExportLocator(
      KubeConnection kcp,
      String sliceName,
      String agentName,
      EndpointOverrides overrides,
      Clusters clusters,
      InstantSource clock,
      Scheduler scheduler,
      Runnable changed) {
    this.kcp = kcp;
    this.overrides = overrides;
    this.agentName = agentName;
    this.clusters = clusters;
    this.clock = clock;
    this.scheduler = scheduler;
    this.changed = changed;
    this.newSlice = newSlice();
    this.informer =
        Informer.start(
            kcp.client(),
            InformerSpec.of(EndpointSlice.TYPE).withFields("metadata.name=" + sliceName),
            this::sliceChanged,
            InformerTiming.prompt());
  }

  @Override
  public Optional<ExportWorkspace> workspace() {
    return workspace;
  }

  @Override
  public boolean isKnown() {
    return (informer.isSynced() || informer.lastFailure().isPresent())
        && workspace.map(w -> w.isSynced() || w.lastFailure().isPresent()).orElse(true);
  }

  boolean isSynced() {
    return informer.isSynced() && workspace.map(ExportWorkspace::isSynced).orElse(false);
  }

  Optional<KubeFailure> lastFailure() {
    return informer.lastFailure().or(() -> workspace.flatMap(ExportWorkspace::lastFailure));
  }

  private synchronized void sliceChanged(Change change) {
    switch (change) {
      case Change.Added(var _, var object) -> follow(object);
      case Change.Updated(var _, var _, var object) -> follow(object);
      case Change.Removed(var _, var object) ->
          LOG.warn("APIExportEndpointSlice {} is gone; its last endpoints hold", object.name());
    }
    changed.run();
  }

  private SliceSettling newSlice() {
    return new SliceSettling(clock, scheduler, this::sliceEntered);
  }

  private synchronized void sliceEntered() {
    if (!newSlice.mayLackShards()) {
      clusters.listsEveryShard();
      changed.run();
    }
  }

  private void follow(KubeObject object) {
    EndpointSlice slice = EndpointSlice.read(object);
    boolean moved =
        last.filter(before ->
                before.exportName().equals(slice.exportName())
                    && before.exportPath().equals(slice.exportPath()))
            .isEmpty();
    // First: what looks at the export's workspace takes the endpoints for known.
    Set<URI> endpoints = overrides.apply(slice.endpoints());
    if (moved) {
      clusters.leaveAll();
      newSlice = newSlice();
    }
    newSlice.see(List.of(object));
    clusters.listed(endpoints, newSlice.mayLackShards());
    if (moved) {
      workspace.ifPresent(ExportWorkspace::close);
      KubeClient client =
          slice
              .exportPath()
              .map(path -> kcp.client(new WorkspacePath(path)))
              .orElseGet(kcp::client);
      workspace = Optional.of(new ExportWorkspace(client, slice.exportName(), agentName, changed));
    }
    if (last.isEmpty() || !last.get().endpoints().equals(slice.endpoints())) {
      LOG.info("Endpoints of APIExport {}: {}", slice.exportName(), endpoints);
      if (endpoints.size() < slice.endpoints().size()) {
        LOG.warn(
            "endpoint-host-override makes one of several of these endpoints, so that objects of"
                + " some shards are not seen: {}",
            slice.endpoints());
      }
    }
    last = Optional.of(slice);
  }

  @Override
  public synchronized void close() {
    informer.close();
    workspace.ifPresent(ExportWorkspace::close);
  }
}
