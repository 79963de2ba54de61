package dev.mooring.sandbox.api;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.security.AuthorizationAttributes;
import dev.mooring.sandbox.security.Decision;
import dev.mooring.sandbox.security.UserInfo;
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

  /** In which words discovery describes what is served. */
  enum Dialect {
    WORKSPACE,
    /** Verbs come in alphabetical order, whoever defined the resource. */
    VIRTUAL_WORKSPACE
  }

  default Dialect dialect() {
    return Dialect.WORKSPACE;
  }

  Decision authorize(AuthorizationAttributes attributes);

  /** As whom a write is admitted and attributed. */
  default UserInfo actingAs(UserInfo user) {
    return user;
  }

  /** Whether a stored object of a served resource shows here; asked for every object. */
  default boolean shows(ResourceDefinition definition, StoredObject object) {
    return true;
  }
}
