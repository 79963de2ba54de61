package dev.mooring.cli.migrate.agent;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.publish.decide.Publication;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the two clusters hold of one agent's.
 *
 * @param definition CustomResourceDefinition of PublishedResources
 * @param published those that the agent selects, oldest first
 * @param export empty if it does not exist
 * @param exportName as the endpoint slice names it
 * @param schemas of the export's workspace
 * @param bindings of the export, in all workspaces
 * @param secrets of the agent's namespace that keep states or records
 * @param lease the agent's, if there is one
 * @param paths of workspaces, where a PublishedResource asks for them
 * @param unread what the user may not read, in sentences
 * @param missingRights of the agent's user, in sentences that say what to grant
 */
record AgentFacts(
    AgentFlags flags,
    Optional<KubeObject> definition,
    List<Type> published,
    String exportName,
    Optional<KubeObject> export,
    List<KubeObject> schemas,
    List<KubeObject> bindings,
    List<KubeObject> secrets,
    Optional<KubeObject> lease,
    Map<LogicalCluster, String> paths,
    List<String> unread,
    List<String> missingRights) {

  /**
   * One PublishedResource.
   *
   * @param sources consumers' objects; empty if it is not synced
   * @param objects of the type on the service cluster, copies and others
   * @param namespaces of the sources, if a filter asks for them
   */
  record Type(
      KubeObject resource,
      Publication publication,
      List<KubeObject> sources,
      List<KubeObject> objects,
      List<KubeObject> namespaces) {
    String title() {
      return "PublishedResource/" + resource.name();
    }
  }
}
