package dev.mooring.cli.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SchemaRules;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What the agent may need to do on the service cluster for published types, in addition to what
 * every agent needs; sorted.
 *
 * @see <a href="file:charts/mooring/service-cluster/rbac-agent.yaml">rbac-agent.yaml</a>
 */
public final class AgentRights {
  private static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final List<String> SYNC_VERBS =
      List.of("get", "list", "watch", "create", "patch", "delete");

  private final String exportName;
  private final Publishing publishing;
  private final Collection<ResourceType> published = types();
  private final Collection<ResourceType> related = types();
  private final Collection<ResourceType> relatedStatus = types();
  private boolean cleanupNamespaces;
  private boolean external = true;
  private boolean prune;

  /**
   * @param exportName of the agent's APIExport
   * @param publishing the agent's default
   */
  public AgentRights(
      List<Publication.Ready> publications, String exportName, Publishing publishing) {
    this.exportName = exportName;
    this.publishing = publishing;
    for (Publication.Ready ready : publications) {
      published.add(ready.schema().onService().resource());
      for (RelatedResource entry : ready.published().related()) {
        related.add(entry.types().onService());
        if (entry.origin() == Side.KCP
            && entry.statusSync() == RelatedResource.StatusSync.FORWARD) {
          relatedStatus.add(entry.types().onService());
        }
      }
      SchemaRules rules = ready.published().schemaRules();
      external &= rules.isExternal(publishing);
      prune |= !rules.isExternal(publishing) && rules.keepOldSchemas().isPresent();
      cleanupNamespaces |=
          ready.published().syncPolicy().emptyNamespaces() == EmptyNamespaces.DELETE;
    }
  }

  private static Collection<ResourceType> types() {
    return new TreeSet<>(
        Comparator.comparing(ResourceType::group).thenComparing(ResourceType::resource));
  }

  public KubeObject clusterRole(String agentName) {
    var rules = new ArrayList<Object>();
    published.forEach(type -> rules.add(rule(type, type.resource(), SYNC_VERBS)));
    related.forEach(type -> rules.add(rule(type, type.resource(), SYNC_VERBS)));
    relatedStatus.forEach(
        type -> rules.add(rule(type, type.resource() + "/status", List.of("update"))));
    if (cleanupNamespaces) {
      rules.add(
          Map.of(
              "apiGroups", List.of(""),
              "resources", List.of("namespaces"),
              "verbs", List.of("delete")));
    }
    return KubeObject.of(CLUSTER_ROLES, "ClusterRole", "", "sync-agent-" + agentName)
        .with(rules, "rules");
  }

  /**
   * The same for {@code charts/mooring}, with what the agent may do to schemas and export in kcp.
   */
  public Map<String, Object> chartValues() {
    Map<String, Object> agent = Trees.ordered();
    if (publishing == Publishing.EXTERNAL) {
      agent.put("publishing", "External");
    }
    agent.put(
        "rbac",
        Trees.ordered(
            "published", named(published),
            "related", named(related),
            "relatedStatus", named(relatedStatus),
            "cleanupNamespaces", cleanupNamespaces));
    return Trees.ordered(
        "kcpManifests",
        Trees.ordered(
            "apiExport", exportName,
            "prune", prune,
            "publishing", external ? "External" : "Managed"),
        "syncAgent",
        agent);
  }

  private static Map<String, Object> rule(ResourceType type, String resource, List<String> verbs) {
    return Trees.ordered(
        "apiGroups", List.of(type.group()),
        "resources", List.of(resource),
        "verbs", verbs);
  }

  private static List<Object> named(Collection<ResourceType> types) {
    return types.stream()
        .<Object>map(type ->
            Trees.ordered(
                "apiGroups", List.of(type.group()),
                "resources", List.of(type.resource())))
        .toList();
  }
}
