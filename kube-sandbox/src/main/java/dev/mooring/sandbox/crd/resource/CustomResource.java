package dev.mooring.sandbox.crd.resource;

import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Optional;

/**
 * A resource that a user defined at run time, in all its versions, converted into each other by
 * name only.
 *
 * @param resourceKey where its objects are; tells APIs of different identities apart
 * @param storageVersion the one in which objects are stored
 */
public record CustomResource(
    String group,
    ResourceNames names,
    Scope scope,
    List<CustomVersion> versions,
    String storageVersion,
    ResourceKey resourceKey,
    Stored stored,
    Optional<ConversionWebhook> conversion,
    Life life) {

  public CustomResource {
    versions = List.copyOf(versions);
  }

  /** Whether stored objects are as they are served, so that reading them costs nothing. */
  public enum Stored {
    /** There is one version, and its schema never changed. */
    AS_SERVED,
    /** Objects may have been written by another version or schema: reading prunes and defaults. */
    OTHERWISE
  }

  /** Whether objects may still be made. */
  public enum Life {
    ACTIVE,
    TERMINATING
  }

  CustomResource in(ResourceKey other) {
    return new CustomResource(
        group, names, scope, versions, storageVersion, other, stored, conversion, life);
  }

  String apiVersion(String version) {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
