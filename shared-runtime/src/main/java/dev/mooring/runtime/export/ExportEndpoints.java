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
 */
final class ExportEndpoints {
  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

  private ExportEndpoints() {}

  /**
   * @param slices of one export
   * @return empty if there are no slices; no URLs until a workspace binds the export
   */
  static Optional<SortedSet<URI>> of(Collection<KubeObject> slices) {
    if (slices.isEmpty()) {
      return Optional.empty();
    }
    var urls = new TreeSet<URI>();
    for (KubeObject slice : slices) {
      for (Object endpoint : slice.list("status", "endpoints")) {
        String url = Trees.text(endpoint, "url");
        if (!url.isEmpty()) {
          urls.add(URI.create(url));
        }
      }
    }
    return Optional.of(urls);
  }
}
