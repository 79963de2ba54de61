package dev.mooring.cli.migrate.agent;

import dev.mooring.cli.migrate.agent.AgentFacts.Type;
import dev.mooring.cli.migrate.agent.AgentFlags.LeaderElection;
import dev.mooring.cli.published.AgentClusters;
import dev.mooring.cli.published.AgentRights;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.Publishing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rights that the sync agent needs for these PublishedResources, as the shipped manifests grant
 * them.
 */
record AgentNeeds(AgentFlags flags, List<Type> types, AgentClusters clusters) {
  private static final String SERVICE_MANIFEST = "charts/mooring/service-cluster/rbac-agent.yaml";
  private static final String KCP_MANIFEST = "charts/mooring/kcp/rbac-agent-workspace.yaml";

  List<Need> all() {
    return List.of(
        new Need("the service cluster", clusters.service(), onService(), SERVICE_MANIFEST),
        new Need(
            "the workspace of the endpoint slice",
            clusters.slice(),
            to("apis.kcp.io", "apiexportendpointslices", "", "list", "watch"),
            KCP_MANIFEST),
        new Need("the workspace of the APIExport", clusters.workspace(), onExport(), KCP_MANIFEST));
  }

  private List<Right> onService() {
    var rights = new ArrayList<Right>();
    rights.addAll(to("syncagent.kcp.io", "publishedresources", "", "list", "watch"));
    rights.addAll(to("syncagent.kcp.io", "publishedresources/status", "", "patch"));
    rights.addAll(to("apiextensions.k8s.io", "customresourcedefinitions", "", "list", "watch"));
    rights.addAll(to("", "namespaces", "", "list", "watch", "create"));
    for (String verb : List.of("get", "list", "watch", "create", "update", "patch", "delete")) {
      rights.add(new Right(verb, "", "secrets", flags.namespace(), ""));
    }
    if (flags.leaderElection() == LeaderElection.ON) {
      for (String verb : List.of("get", "create", "update")) {
        rights.add(new Right(verb, "coordination.k8s.io", "leases", flags.namespace(), ""));
      }
    }
    for (Object rule :
        new AgentRights(ready(), clusters.exportName(), Publishing.MANAGED)
            .clusterRole("")
            .list("rules")) {
      for (String group : Trees.texts(Trees.at(rule, "apiGroups"))) {
        for (String resource : Trees.texts(Trees.at(rule, "resources"))) {
          rights.addAll(
              to(group, resource, "", Trees.texts(Trees.at(rule, "verbs")).toArray(String[]::new)));
        }
      }
    }
    return rights.stream().distinct().toList();
  }

  private List<Right> onExport() {
    var rights = new ArrayList<Right>();
    rights.addAll(to("apis.kcp.io", "apiexports", clusters.exportName(), "list", "watch"));
    rights.addAll(to("apis.kcp.io", "apiresourceschemas", "", "get", "list", "watch"));
    rights.addAll(to("apis.kcp.io", "apiexports/content", clusters.exportName(), "*"));
    boolean publishes =
        ready().stream()
            .anyMatch(ready ->
                ready.published().schemaRules().publishing().orElse(flags.publishing())
                    == Publishing.MANAGED);
    if (publishes) {
      rights.addAll(to("apis.kcp.io", "apiexports", clusters.exportName(), "patch"));
      rights.addAll(to("apis.kcp.io", "apiresourceschemas", "", "create", "patch"));
      rights.addAll(to("", "events", "", "create", "patch"));
    }
    return rights;
  }

  private List<Publication.Ready> ready() {
    return types.stream()
        .map(Type::publication)
        .filter(Publication.Ready.class::isInstance)
        .map(Publication.Ready.class::cast)
        .toList();
  }

  private static List<Right> to(String group, String resource, String name, String... verbs) {
    return Stream.of(verbs).map(verb -> new Right(verb, group, resource, "", name)).toList();
  }
}
