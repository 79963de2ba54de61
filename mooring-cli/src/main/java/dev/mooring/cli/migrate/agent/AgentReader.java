package dev.mooring.cli.migrate.agent;

import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.Types;
import dev.mooring.cli.manifest.Manifest;
import dev.mooring.cli.migrate.agent.AgentFacts.Type;
import dev.mooring.cli.published.AgentClusters;
import dev.mooring.cli.published.Publications;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.RightsReviewer;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.StatusFields;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Gathers the facts with the agent's own kubeconfigs, by reads alone. */
final class AgentReader {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final String LEASE_PREFIX = "syncagent.";

  private final AgentFlags flags;
  private final Publications files;
  private final AgentClusters clusters;
  private final KubeClient service;
  private final List<String> unread = new ArrayList<>();

  /**
   * @param files PublishedResources and CustomResourceDefinitions in place of those on the service
   *     cluster
   */
  AgentReader(AgentFlags flags, Publications files, AgentClusters clusters) {
    this.flags = flags;
    this.files = files;
    this.clusters = clusters;
    this.service = clusters.service();
  }

  AgentFacts read() {
    KubeClient workspace = clusters.workspace();
    List<KubeObject> crds = crds();
    List<Type> types = published().stream().map(resource -> type(resource, crds)).toList();
    return new AgentFacts(
        flags,
        crds.stream().filter(crd -> crd.name().equals(StatusFields.CRD)).findFirst(),
        types,
        clusters.exportName(),
        workspace.find(Types.API_EXPORTS, "", clusters.exportName()),
        readable(
            "APIResourceSchemas",
            () -> Lists.all(workspace, Types.API_RESOURCE_SCHEMAS, ListQuery.ALL)),
        everywhere(Types.API_BINDINGS),
        readable(
            "Secrets in namespace " + flags.namespace(), () -> clusters.secrets(flags.namespace())),
        readable(
                "Leases in namespace " + flags.namespace(),
                () ->
                    service
                        .find(LEASES, flags.namespace(), LEASE_PREFIX + flags.agentName())
                        .stream()
                        .toList())
            .stream()
            .findFirst(),
        paths(types),
        unread,
        missing(new AgentNeeds(flags, types, clusters).all()));
  }

  private List<KubeObject> published() {
    return files.resources().isEmpty()
        ? clusters.published(flags.selector())
        : files.resources().stream().map(Manifest.Parsed::object).toList();
  }

  /** Those of the files first. */
  private List<KubeObject> crds() {
    return Stream.concat(
            files.ofKind(Publications.CRD_KIND).stream(),
            readable(
                "CustomResourceDefinitions", () -> Lists.all(service, Types.CRDS, ListQuery.ALL))
                .stream())
        .toList();
  }

  private Type type(KubeObject resource, List<KubeObject> crds) {
    Publication publication = clusters.publication(resource, crds, flags.apiGroup());
    if (!(publication instanceof Publication.Ready(var published, var schema))
        || published.synchronization() == Synchronization.OFF) {
      return new Type(resource, publication, List.of(), List.of(), List.of());
    }
    ResourceType onService = schema.onService().resource();
    return new Type(
        resource,
        publication,
        everywhere(schema.inKcp().resource()),
        readable(
            onService.qualified() + " on the service cluster",
            () -> Lists.all(service, onService, ListQuery.ALL)),
        published.namespaceFilter().equals(LabelSelector.EVERYTHING)
            ? List.of()
            : everywhere(Types.NAMESPACES));
  }

  private Map<LogicalCluster, String> paths(List<Type> types) {
    var paths = new HashMap<LogicalCluster, String>();
    if (types.stream().anyMatch(AgentReader::usesPaths)) {
      for (KubeObject cluster : everywhere(Types.LOGICAL_CLUSTERS)) {
        cluster
            .annotation("kcp.io/path")
            .ifPresent(path -> cluster.logicalCluster().ifPresent(name -> paths.put(name, path)));
      }
    }
    return paths;
  }

  private static boolean usesPaths(Type type) {
    return type.publication() instanceof Publication.Ready(var published, ProjectedSchema _)
        && published.workspacePaths() == WorkspacePaths.ON;
  }

  private List<KubeObject> everywhere(ResourceType type) {
    return readable(
        type.qualified() + " of consumers",
        () -> clusters.consumers().list(type).stream().map(ExportConsumers.Seen::object).toList());
  }

  private List<KubeObject> readable(String what, Supplier<List<KubeObject>> read) {
    try {
      return read.get();
    } catch (KubeFailure failure) {
      if (failure.isDenied()) {
        unread.add(what + " cannot be read: " + failure.said());
        return List.of();
      }
      throw failure;
    }
  }

  private List<String> missing(List<Need> needs) {
    var missing = new ArrayList<String>();
    for (Need need : needs) {
      try {
        RightsReviewer.missing(need).ifPresent(missing::add);
      } catch (KubeFailure failure) {
        unread.add("rights in " + need.place() + " cannot be reviewed: " + failure.said());
      }
    }
    return missing;
  }
}
