package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.ApiView;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.security.AuthorizationAttributes;
import dev.mooring.sandbox.security.Decision;
import dev.mooring.sandbox.security.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/** Of a view what one shard has: the objects of the logical clusters that are on it. */
record ShardScope(ApiView view, Shards shards, String shard) implements ApiView {
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
  public UserInfo actingAs(UserInfo user) {
    return view.actingAs(user);
  }

  @Override
  public VerbOrder verbOrder() {
    return view.verbOrder();
  }

  @Override
  public boolean shows(ResourceDefinition definition, StoredObject object) {
    return shards.of(object.address().cluster()).equals(shard) && view.shows(definition, object);
  }

  @Override
  public KubeObject admitted(ResourceDefinition definition, KubeObject wished) {
    return view.admitted(definition, wished);
  }

  @Override
  public void requireRemovable(ResourceDefinition definition, StoredObject object) {
    view.requireRemovable(definition, object);
  }
}
