package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The URLs of an APIExport's virtual workspace, one for each shard that has a binding, as its
 * APIExportEndpointSlices list them.
 *
 * @param urls empty until somebody binds the export
 */
record ExportEndpoints(SortedSet<URI> urls) {
  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

  /** By the hosts by which they are reached. */
  ExportEndpoints reachedBy(EndpointOverrides overrides) {
    return new ExportEndpoints(new TreeSet<>(overrides.apply(urls)));
  }

  static List<KubeObject> about(String export, Collection<KubeObject> slices) {
    return slices.stream()
        .filter(slice -> export.equals(slice.text("spec", "export", "name")))
        .toList();
  }

  /** Empty if no slice is about the export. */
  static Optional<ExportEndpoints> of(String export, Collection<KubeObject> slices) {
    List<KubeObject> about = about(export, slices);
    if (about.isEmpty()) {
      return Optional.empty();
    }
    var urls = new TreeSet<URI>();
    for (KubeObject slice : about) {
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
