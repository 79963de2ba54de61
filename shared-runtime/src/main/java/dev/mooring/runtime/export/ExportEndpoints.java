package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.net.URI;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The URLs of an APIExport's virtual workspace, one for each shard that has a binding, as its
 * APIExportEndpointSlices list them.
 *
 * @param urls empty until a workspace binds the export
 */
record ExportEndpoints(SortedSet<URI> urls) {
  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

  /** By the hosts by which they are reached. */
  ExportEndpoints reachedBy(EndpointOverrides overrides) {
    return new ExportEndpoints(new TreeSet<>(overrides.apply(urls)));
  }

  /**
   * @param slices of one export
   * @return empty if there are none
   */
  static Optional<ExportEndpoints> of(Collection<KubeObject> slices) {
    if (slices.isEmpty()) {
      return Optional.empty();
    }
    var urls = new TreeSet<URI>();
    for (KubeObject slice : slices) {
      for (Object endpoint : slice.list("status", "endpoints")) {
        String url = Trees.textOrEmpty(Trees.at(endpoint, "url"));
        if (!url.isEmpty()) {
          urls.add(URI.create(url));
        }
      }
    }
    return Optional.of(new ExportEndpoints(urls));
  }
}
