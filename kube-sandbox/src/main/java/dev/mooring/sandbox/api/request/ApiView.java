package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * What stands behind a URL's prefix ({@code /clusters/root:a}, {@code /clusters/*}, a virtual
 * workspace, or nothing at all): which resources are served there, whose objects they are, who may
 * do what, and which objects show. The rest of the URL is then handled alike everywhere. One view
 * serves one request or watch.
 */
public interface ApiView {
  /** Empty for all logical clusters: then only lists and watches make sense. */
  Optional<LogicalCluster> cluster();

  /** As {@link ResourceCatalog#find}; the resource is taken from the path as it stands there. */
  Optional<ResourceDefinition> find(ResourceType type);

  /** As {@link ResourceCatalog#all}. */
  List<ResourceDefinition> all();

  /** One of {@link #all}, for a scope that answers 404 for every other resource. */
  default Optional<ResourceDefinition> findListed(ResourceType type) {
    return Optional.of(
        all().stream()
            .filter(definition -> definition.type().equals(type))
            .findFirst()
            .orElseThrow(ApiFailure::pageNotFound));
  }

  Decision authorize(AuthorizationAttributes attributes);

  /** As whom a write is admitted and attributed. */
  default UserInfo effectiveUser(UserInfo user) {
    return user;
  }

  /**
   * Whether what is written here is sent on to the workspace: an apply then arrives there as a
   * create or an update, and its manager owns what it changes.
   */
  default boolean forwards() {
    return false;
  }

  /** How discovery lists the verbs of a resource. */
  enum VerbOrder {
    /** By name for built-in resources, as kcp lists them for custom ones. */
    BY_ORIGIN,
    BY_NAME
  }

  default VerbOrder verbOrder() {
    return VerbOrder.BY_ORIGIN;
  }

  /** Whether a stored object of a served resource shows here; asked for every object. */
  default boolean isVisible(ResourceDefinition definition, StoredObject object) {
    return true;
  }

  /**
   * What a read-only resource shows here in place of the objects that the server stores: all of it,
   * for any selector, and without versions to watch from. Empty for what is stored.
   */
  default Optional<List<StoredObject>> objects(ResourceDefinition definition) {
    return Optional.empty();
  }

  /** What is written here in place of this. Throws {@link ApiFailure} for what may not be. */
  default KubeObject enforceClaims(ResourceDefinition definition, KubeObject wished) {
    return wished;
  }

  /** Whether what is stored may be deleted here. Throws {@link ApiFailure} if not. */
  default void requireRemovable(ResourceDefinition definition, StoredObject object) {
    if (!isVisible(definition, object)) {
      throw ApiFailure.notFound(definition.type(), object.key().name());
    }
  }

  /** What a catalog has. */
  record OfCatalog(ResourceCatalog catalog, Authorizer authorizer, Optional<LogicalCluster> cluster)
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
}
