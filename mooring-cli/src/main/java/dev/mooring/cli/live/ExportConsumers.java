package dev.mooring.cli.live;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.ExportView;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The workspaces that bind an APIExport, through its virtual workspace.
 *
 * @param urls one for each shard that has a binding
 */
public record ExportConsumers(KubeConnection kcp, List<URI> urls) {

  /**
   * @param object with the annotation of its logical cluster
   * @param workspace the consumer's, through the export
   */
  public record Seen(KubeObject object, KubeClient workspace) {
    /** Such as {@code default/shop in 2hh1nlb5kf5kw3rh}, or the path where the object has it. */
    public String title() {
      return Titles.inWorkspace(object);
    }
  }

  /**
   * @param slices of one export
   */
  public static ExportConsumers of(
      KubeConnection kcp, Collection<KubeObject> slices, EndpointOverrides overrides) {
    var urls = new TreeSet<URI>();
    for (KubeObject slice : slices) {
      for (Object endpoint : slice.list("status", "endpoints")) {
        urls.add(URI.create(Trees.text(endpoint, "url")));
      }
    }
    return new ExportConsumers(kcp, overrides.apply(urls).stream().sorted().toList());
  }

  /**
   * Of all workspaces. A type that the export does not serve has no objects.
   *
   * @throws KubeFailure if an endpoint does not answer
   */
  public List<Seen> list(ResourceType type) {
    return urls.stream().flatMap(url -> list(url, type).stream()).toList();
  }

  private List<Seen> list(URI url, ResourceType type) {
    return Lists.ifServed(kcp.client(URI.create(url + "/clusters/*")), type, ListQuery.ALL).stream()
        .flatMap(List::stream)
        .flatMap(object ->
            object
                .logicalCluster()
                .map(cluster -> new Seen(object, workspace(url, cluster)))
                .stream())
        .toList();
  }

  /** Each at the endpoint of its shard; the others deny requests for it. */
  public Map<LogicalCluster, KubeClient> workspaces() {
    var workspaces = new HashMap<LogicalCluster, KubeClient>();
    for (Seen binding : list(ExportView.BINDINGS)) {
      binding
          .object()
          .logicalCluster()
          .ifPresent(cluster -> workspaces.put(cluster, binding.workspace()));
    }
    return Map.copyOf(workspaces);
  }

  private KubeClient workspace(URI url, LogicalCluster cluster) {
    return kcp.client(URI.create(url + "/clusters/" + cluster.name()));
  }
}
