package dev.mooring.syncagent.agent;

import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.sync.SyncSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What the agent is told at the start.
 *
 * @param kubeconfig of the service cluster; empty for the pod's service account or, outside a pod,
 *     the user's kubeconfig
 * @param kcpKubeconfig whose context points at the workspace of the endpoint slice
 * @param publishedResourceSelector which PublishedResources are this agent's; empty for all
 */
public record AgentSettings(
    Optional<Path> kubeconfig,
    Path kcpKubeconfig,
    String publishedResourceSelector,
    Leadership leadership,
    PublishSettings publish,
    SyncSettings sync) {
  public AgentSettings {
    Objects.requireNonNull(kubeconfig, "kubeconfig");
    Objects.requireNonNull(kcpKubeconfig, "kcpKubeconfig");
    Objects.requireNonNull(publishedResourceSelector, "publishedResourceSelector");
    Objects.requireNonNull(leadership, "leadership");
    Objects.requireNonNull(publish, "publish");
    Objects.requireNonNull(sync, "sync");
  }
}
