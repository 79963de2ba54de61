package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an APIExportEndpointSlice says.
 *
 * @param exportPath workspace of the export; empty if it is the slice's own
 * @param endpoints of the virtual workspace, one per shard; empty until a workspace has bound the
 *     export
 */
public record EndpointSlice(String exportName, Optional<String> exportPath, Set<URI> endpoints) {
  public static final ResourceType TYPE =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

  public EndpointSlice {
    endpoints = Set.copyOf(endpoints);
  }

  public static EndpointSlice read(KubeObject object) {
    var endpoints = new LinkedHashSet<URI>();
    for (Object endpoint : object.list("status", "endpoints")) {
      String url = Trees.textOrEmpty(Trees.at(endpoint, "url"));
      if (!url.isEmpty()) {
        endpoints.add(URI.create(url));
      }
    }
    String path = object.text("spec", "export", "path");
    return new EndpointSlice(
        object.text("spec", "export", "name"),
        path.isEmpty() ? Optional.empty() : Optional.of(path),
        endpoints);
  }
}
