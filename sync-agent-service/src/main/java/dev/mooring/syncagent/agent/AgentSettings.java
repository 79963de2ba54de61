package dev.mooring.syncagent.agent;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.sync.SyncSettings;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The settings that the agent starts with.
 *
 * @param kcpKubeconfig whose context points at the workspace of the endpoint slice
 * @param endpointOverrides of the endpoint slice's
 * @param publishedResourceSelector which PublishedResources are this agent's; empty for all
 */
public record AgentSettings(
    ServiceCluster serviceCluster,
    Path kcpKubeconfig,
    EndpointOverrides endpointOverrides,
    String publishedResourceSelector,
    Leadership leadership,
    PublishSettings publish,
    SyncSettings sync) {
  public AgentSettings {
    Objects.requireNonNull(serviceCluster, "serviceCluster");
    Objects.requireNonNull(kcpKubeconfig, "kcpKubeconfig");
    Objects.requireNonNull(endpointOverrides, "endpointOverrides");
    Objects.requireNonNull(publishedResourceSelector, "publishedResourceSelector");
    Objects.requireNonNull(leadership, "leadership");
    Objects.requireNonNull(publish, "publish");
    Objects.requireNonNull(sync, "sync");
  }
}
