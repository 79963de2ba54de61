package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/** Reads of CachedResources. */
public final class CachedResources {
  /** On a CachedResource: the kind of what it caches. */
  public static final String KIND = "cache.kcp.io/resource-kind";

  /** On a CachedResource: the scope of what it caches. */
  public static final String SCOPE = "cache.kcp.io/resource-scope";

  private CachedResources() {}

  /** What it caches; empty without a version, by which no object can be read. */
  public static Optional<ResourceType> type(KubeObject cached) {
    String version = cached.text("spec", "version");
    return version.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ResourceType(
                cached.text("spec", "group"), version, cached.text("spec", "resource")));
  }

  /** The hash under which the cache server has the objects; empty before that is known. */
  public static String identity(KubeObject cached) {
    return cached.text("status", "identityHash");
  }

  /** Whether the cache server can have objects of it. */
  public static boolean isIdentified(KubeObject cached) {
    return !identity(cached).isEmpty()
        && cached.annotation(KIND).isPresent()
        && cached.annotation(SCOPE).isPresent();
  }
}
