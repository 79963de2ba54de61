package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What an {@link ExportView} shows.
 *
 * @param export name of an APIExport in the workspace of the view's connection
 * @param known {@link ExportView#endpoints} of a view that this one replaces, which the slices may
 *     not list at the moment; empty for a view that starts anew
 * @param maxStaleness the age up to which {@link ExportView#stalest} is relied on; zero if it is
 *     not
 * @param overrides by which hosts the endpoints are reached
 */
public record ExportTerms(
    String export,
    List<ResourceType> types,
    Set<URI> known,
    Duration maxStaleness,
    EndpointOverrides overrides) {
  public ExportTerms {
    Objects.requireNonNull(export, "export");
    types = List.copyOf(types);
    known = Set.copyOf(known);
    Objects.requireNonNull(maxStaleness, "maxStaleness");
    Objects.requireNonNull(overrides, "overrides");
  }

  /** For a view that starts anew and on whose age nobody relies. */
  public static ExportTerms of(String export, ResourceType... types) {
    return new ExportTerms(export, List.of(types), Set.of(), Duration.ZERO, EndpointOverrides.NONE);
  }

  public ExportTerms knowing(Set<URI> endpoints) {
    return new ExportTerms(export, types, endpoints, maxStaleness, overrides);
  }

  public ExportTerms maxStaleness(Duration age) {
    return new ExportTerms(export, types, known, age, overrides);
  }

  public ExportTerms reachedBy(EndpointOverrides hosts) {
    return new ExportTerms(export, types, known, maxStaleness, hosts);
  }

  /** Also of this type. */
  ExportTerms including(ResourceType type) {
    if (types.contains(type)) {
      return this;
    }
    var all = new ArrayList<>(types);
    all.add(type);
    return new ExportTerms(export, all, known, maxStaleness, overrides);
  }
}
