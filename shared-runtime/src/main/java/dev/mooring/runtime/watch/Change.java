package dev.mooring.runtime.watch;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;

/** What happened to one object, as far as the cache could see. */
public sealed interface Change {
  ObjectKey key();

  /** The object as it was last seen, whether it is still there or gone. */
  default KubeObject latest() {
    return switch (this) {
      case Added(var _, var object) -> object;
      case Updated(var _, var _, var after) -> after;
      case Removed(var _, var last) -> last;
    };
  }

  /** It was not in the cache before. */
  record Added(ObjectKey key, KubeObject object) implements Change {}

  /** It was in the cache with another resource version; several updates may have become one. */
  record Updated(ObjectKey key, KubeObject before, KubeObject after) implements Change {}

  /**
   * It is gone.
   *
   * @param last as the server last had it; after a downtime, as the cache last had it
   */
  record Removed(ObjectKey key, KubeObject last) implements Change {}
}
