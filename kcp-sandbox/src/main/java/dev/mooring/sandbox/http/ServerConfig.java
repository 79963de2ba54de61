package dev.mooring.sandbox.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.HomeWorkspaces;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import java.util.Optional;

/**
 * What the HTTP side asks about a request.
 *
 * @param authorizer for bare paths; views bring their own
 * @param clusters empty for a server without logical clusters
 * @param homes of a server with the workspace root
 * @param reviewsOfRights SubjectAccessReviews that ask for rights alone, as if the user might enter
 *     the workspace; empty for a server without logical clusters
 * @param faults what goes wrong on purpose
 */
public record ServerConfig(
    RequestAuthenticator authenticator,
    HeaderImpersonation impersonation,
    Authorizer authorizer,
    Views views,
    Optional<LogicalClusterResolver> clusters,
    VirtualWorkspaces virtualWorkspaces,
    Optional<HomeWorkspaces> homes,
    DiscoveryDocuments documents,
    Optional<ResourceCatalog> reviewsOfRights,
    FaultInjector faults) {
  /** The views behind {@code /clusters/}. Thread-safe. */
  public interface Views {
    RequestScope of(LogicalCluster cluster);

    /** Of {@code /clusters/*}. */
    RequestScope everywhere();

    /** As {@link #everywhere}, for those who want no more of objects than their metadata. */
    RequestScope metadataEverywhere();
  }
}
