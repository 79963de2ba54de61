package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * A logical cluster of another shard: without objects, with the types that every cluster has, and
 * open to {@code system:masters} alone. A real shard would store what masters create there; here
 * that is denied, because shards share one storage.
 *
 * @param empty the scope of a logical cluster without content
 */
record OtherShardScope(LogicalCluster which, RequestScope empty) implements RequestScope {
  @Override
  public Optional<LogicalCluster> cluster() {
    return Optional.of(which);
  }

  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return empty.find(type);
  }

  @Override
  public List<ResourceDefinition> all() {
    return empty.all();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    return empty.authorize(
        new AuthorizationAttributes(
            attributes.user(), empty.cluster(), attributes.verb(), attributes.target()));
  }

  @Override
  public boolean isVisible(ResourceDefinition definition, StoredObject object) {
    return false;
  }

  @Override
  public KubeObject enforceClaims(ResourceDefinition definition, KubeObject wished) {
    throw ApiFailure.forbidden("the logical cluster " + which + " is on another shard");
  }
}
