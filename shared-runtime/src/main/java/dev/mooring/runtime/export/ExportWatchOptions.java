package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What an {@link ExportView} shows.
 *
 * @param slices in the workspace of the view's connection
 * @param types whose objects the view's listener receives
 * @param known {@link ExportView#endpoints} of a view that this one replaces, which the slices may
 *     not list at the moment; empty for the first view
 * @param maxStaleness the age up to which readers rely on {@link ExportView#stalest}; zero if they
 *     do not
 * @param overrides by which hosts the endpoints are reached
 * @param afterWatch what informers do when the server has ended a watch early
 */
public record ExportWatchOptions(
    SliceSelector slices,
    List<ResourceType> types,
    Set<URI> known,
    Duration maxStaleness,
    EndpointOverrides overrides,
    AfterWatch afterWatch) {
  public ExportWatchOptions {
    types = List.copyOf(types);
    known = Set.copyOf(known);
  }

  /** For a first view whose age no reader relies on. */
  public static ExportWatchOptions of(String export, ResourceType... types) {
    return new ExportWatchOptions(
        new SliceSelector.OfExport(export),
        List.of(types),
        Set.of(),
        Duration.ZERO,
        EndpointOverrides.NONE,
        AfterWatch.WATCH_ON);
  }

  public ExportWatchOptions knowing(Set<URI> endpoints) {
    return new ExportWatchOptions(slices, types, endpoints, maxStaleness, overrides, afterWatch);
  }

  public ExportWatchOptions maxStaleness(Duration age) {
    return new ExportWatchOptions(slices, types, known, age, overrides, afterWatch);
  }

  public ExportWatchOptions reachedBy(EndpointOverrides hosts) {
    return new ExportWatchOptions(slices, types, known, maxStaleness, hosts, afterWatch);
  }
}
