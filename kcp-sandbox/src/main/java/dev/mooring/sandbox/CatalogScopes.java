package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import java.util.List;
import java.util.Optional;

/**
 * The views that show a catalog as it is.
 *
 * @param catalog what each logical cluster serves
 * @param wildcard what a request to all of them may ask for
 * @param metadata of what a request to all of them may ask for the metadata alone
 */
record CatalogScopes(
    ResourceCatalog catalog,
    ResourceCatalog wildcard,
    ResourceCatalog metadata,
    Authorizer authorizer)
    implements ServerConfig.Views {
  @Override
  public RequestScope of(LogicalCluster cluster) {
    return new CatalogScope(catalog, authorizer, Optional.of(cluster));
  }

  @Override
  public RequestScope everywhere() {
    return new CatalogScope(wildcard, authorizer, Optional.empty());
  }

  @Override
  public RequestScope metadataEverywhere() {
    return new CatalogScope(metadata, authorizer, Optional.empty());
  }

  private record CatalogScope(
      ResourceCatalog catalog, Authorizer authorizer, Optional<LogicalCluster> cluster)
      implements RequestScope {
    @Override
    public Optional<ResourceDefinition> find(ResourceType type) {
      return catalog.find(cluster.orElse(LogicalCluster.NONE), type);
    }

    @Override
    public List<ResourceDefinition> all() {
      return catalog.all(cluster.orElse(LogicalCluster.NONE));
    }

    @Override
    public Decision authorize(AuthorizationAttributes attributes) {
      return authorizer.authorize(attributes);
    }
  }
}
