package dev.mooring.syncagent.agent;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.sync.SyncSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings that the agent starts with.
 *
 * @param kcpKubeconfig whose context points at the workspace of the endpoint slice
 * @param endpointOverrides of the endpoint slice's
 * @param publishedResourceSelector which PublishedResources are this agent's; empty for all
 * @param lease whose holder acts, or publishes; empty if there is one replica
 */
public record AgentSettings(
    ServiceCluster serviceCluster,
    Path kcpKubeconfig,
    EndpointOverrides endpointOverrides,
    String publishedResourceSelector,
    Optional<LeaseTerms> lease,
    ReplicaMode replicas,
    PublishSettings publish,
    SyncSettings sync) {
  /** Of the Lease's name; the Go agent's, so that the two exclude each other. */
  public static final String LEASE_PREFIX = "syncagent.";
}
