package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/** The part of a scope that lies on one shard: the objects of its logical clusters. */
record ShardScope(RequestScope view, Shards shards, String shard) implements RequestScope {
  @Override
  public Optional<LogicalCluster> cluster() {
    return view.cluster();
  }

  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return view.find(type);
  }

  @Override
  public List<ResourceDefinition> all() {
    return view.all();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    return view.authorize(attributes);
  }

  @Override
  public UserInfo effectiveUser(UserInfo user) {
    return view.effectiveUser(user);
  }

  @Override
  public VerbOrder verbOrder() {
    return view.verbOrder();
  }

  @Override
  public boolean isVisible(ResourceDefinition definition, StoredObject object) {
    return shards.of(object.key().cluster()).equals(shard) && view.isVisible(definition, object);
  }

  @Override
  public KubeObject enforceClaims(ResourceDefinition definition, KubeObject wished) {
    return view.enforceClaims(definition, wished);
  }

  @Override
  public void requireRemovable(ResourceDefinition definition, StoredObject object) {
    view.requireRemovable(definition, object);
  }
}
