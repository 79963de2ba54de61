package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
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
public record ExportTerms(
    SliceSelector slices,
    List<ResourceType> types,
    Set<URI> known,
    Duration maxStaleness,
    EndpointOverrides overrides,
    AfterWatch afterWatch) {
  public ExportTerms {
    types = List.copyOf(types);
    known = Set.copyOf(known);
  }

  /** For a first view whose age no reader relies on. */
  public static ExportTerms of(String export, ResourceType... types) {
    return new ExportTerms(
        new SliceSelector.OfExport(export),
        List.of(types),
        Set.of(),
        Duration.ZERO,
        EndpointOverrides.NONE,
        AfterWatch.WATCH_ON);
  }

  public ExportTerms knowing(Set<URI> endpoints) {
    return new ExportTerms(slices, types, endpoints, maxStaleness, overrides, afterWatch);
  }

  public ExportTerms maxStaleness(Duration age) {
    return new ExportTerms(slices, types, known, age, overrides, afterWatch);
  }

  public ExportTerms reachedBy(EndpointOverrides hosts) {
    return new ExportTerms(slices, types, known, maxStaleness, hosts, afterWatch);
  }

  /** Also of this type. */
  ExportTerms including(ResourceType type) {
    if (types.contains(type)) {
      return this;
    }
    var all = new ArrayList<>(types);
    all.add(type);
    return new ExportTerms(slices, all, known, maxStaleness, overrides, afterWatch);
  }
}
