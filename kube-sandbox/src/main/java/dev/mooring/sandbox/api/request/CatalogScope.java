package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import java.util.List;
import java.util.Optional;

/** A catalog as it is. */
public record CatalogScope(
    ResourceCatalog catalog, Authorizer authorizer, Optional<LogicalCluster> cluster)
    implements ApiView {
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
