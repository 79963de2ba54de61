package dev.mooring.cli.published;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.live.ExportConsumers;
import dev.mooring.cli.live.Lists;
import dev.mooring.cli.live.LiveOptions;
import dev.mooring.cli.live.Types;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.publish.ServedTypes;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The clusters that one sync agent connects.
 *
 * @param slice workspace of the endpoint slice
 * @param workspace that of the APIExport
 * @param exportName as the endpoint slice has it
 */
public record AgentClusters(
    KubeClient service,
    KubeClient slice,
    KubeClient workspace,
    String exportName,
    ExportConsumers consumers) {
  private static final Comparator<KubeObject> BY_AGE =
      Comparator.comparing((KubeObject object) -> object.text("metadata", "creationTimestamp"))
          .thenComparing(KubeObject::name);

  /**
   * Reads the endpoint slice.
   *
   * @param option that names it
   * @throws CommandFailure if it does not exist
   * @throws KubeFailure if it cannot be read
   */
  public static AgentClusters of(
      KubeClient service,
      LiveOptions.Server kcp,
      String option,
      String sliceName,
      EndpointOverrides overrides) {
    KubeObject slice =
        kcp.client()
            .find(Types.ENDPOINT_SLICES, "", sliceName)
            .orElseThrow(() ->
                CommandFailure.badInput(
                    "there is no APIExportEndpointSlice %s at %s; correct %s, or name its workspace"
                        .formatted(sliceName, kcp.client().url(), option)));
    String path = slice.text("spec", "export", "path");
    return new AgentClusters(
        service,
        kcp.client(),
        path.isEmpty() ? kcp.client() : kcp.connection().client(new WorkspacePath(path)),
        slice.text("spec", "export", "name"),
        ExportConsumers.of(kcp.connection(), List.of(slice), overrides));
  }

  /** PublishedResources that a label selector selects, oldest first. */
  public List<KubeObject> published(String selector) {
    return Lists.all(service, PublishedResource.TYPE, ListQuery.ALL.withLabels(selector)).stream()
        .map(object -> object.with(PublishedResource.KIND, "kind"))
        .sorted(BY_AGE)
        .toList();
  }

  /**
   * What the agent makes of a PublishedResource.
   *
   * @param crds in which its type is looked for first
   */
  public Publication publication(KubeObject resource, List<KubeObject> crds, String defaultGroup) {
    String group = resource.text("spec", "resource", "apiGroup");
    String kind = resource.text("spec", "resource", "kind");
    Optional<KubeObject> crd =
        crds.stream()
            .filter(each -> Publications.defines(each, resource))
            .findFirst()
            .or(() -> new ServedTypes(service).find(group, kind));
    return Publication.of(resource, crd, defaultGroup);
  }

  /** Secrets of the agent's namespace that keep states or records, of all agents. */
  public List<KubeObject> secrets(String namespace) {
    ListQuery own = ListQuery.ALL.inNamespace(namespace);
    return Stream.of(SyncMarks.OBJECT_STATE, SourceMarks.RECORD_LABEL)
        .flatMap(label -> Lists.all(service, Types.SECRETS, own.withLabels(label)).stream())
        .toList();
  }
}
