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
import java.util.LinkedHashMap;
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
    var role = new LinkedHashMap<String, Object>();
    role.put("apiVersion", "rbac.authorization.k8s.io/v1");
    role.put("kind", "ClusterRole");
    role.put("metadata", Map.of("name", "sync-agent-" + agentName));
    role.put("rules", rules);
    return KubeObject.of(role);
  }

  /**
   * The same for {@code charts/mooring}, with what the agent may do to schemas and export in kcp.
   */
  public Map<String, Object> chartValues() {
    var rbac = new LinkedHashMap<String, Object>();
    rbac.put("published", named(published));
    rbac.put("related", named(related));
    rbac.put("relatedStatus", named(relatedStatus));
    rbac.put("cleanupNamespaces", cleanupNamespaces);
    var kcp = new LinkedHashMap<String, Object>();
    kcp.put("apiExport", exportName);
    kcp.put("prune", prune);
    kcp.put("publishing", external ? "External" : "Managed");
    var values = new LinkedHashMap<String, Object>();
    values.put("kcpManifests", kcp);
    var agent = new LinkedHashMap<String, Object>();
    if (publishing == Publishing.EXTERNAL) {
      agent.put("publishing", "External");
    }
    agent.put("rbac", rbac);
    values.put("syncAgent", agent);
    return values;
  }

  private static Map<String, Object> rule(ResourceType type, String resource, List<String> verbs) {
    return Trees.ordered(
        "apiGroups", List.of(type.group()),
        "resources", List.of(resource),
        "verbs", verbs);
  }

  private static List<Object> named(Collection<ResourceType> types) {
    return types.stream()
        .<Object>map(type -> {
          return Trees.ordered(
              "apiGroups", List.of(type.group()),
              "resources", List.of(type.resource()));
        })
        .toList();
  }
}
