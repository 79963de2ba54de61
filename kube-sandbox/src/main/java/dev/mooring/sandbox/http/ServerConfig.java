package dev.mooring.sandbox.http;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.authentication.RequestAuthenticator;
import dev.mooring.sandbox.security.authorization.Authorizer;
import java.util.Optional;

/**
 * What the HTTP side asks about a request.
 *
 * @param authorizer for bare paths and all that the catalog serves
 * @param catalog what each logical cluster serves
 * @param tenancy empty for a server without logical clusters
 * @param faults what goes wrong on purpose
 */
public record ServerConfig(
    RequestAuthenticator authenticator,
    HeaderImpersonation impersonation,
    Authorizer authorizer,
    ResourceCatalog catalog,
    Optional<Tenancy> tenancy,
    DiscoveryDocuments documents,
    FaultInjector faults) {
  /** The view behind {@code /clusters/}. */
  ApiView view(LogicalCluster cluster) {
    return new ApiView.OfCatalog(catalog, authorizer, Optional.of(cluster));
  }
}
