package dev.mooring.runtime.watch;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.net.URI;

/** Where a server says whose an object is. */
enum ClusterNaming {
  /** kcp: in an annotation that only kcp can write. */
  BY_ANNOTATION,

  /**
   * Kubernetes: nowhere. The same annotation may have been put there by anyone and means nothing.
   */
  NONE;

  /** Of the server below a URL: kcp has its clusters in every path. */
  static ClusterNaming at(URI url) {
    return url.getPath().contains("/clusters/") ? BY_ANNOTATION : NONE;
  }

  LogicalCluster cluster(KubeObject object) {
    return switch (this) {
      case BY_ANNOTATION -> object.logicalCluster().orElse(LogicalCluster.NONE);
      case NONE -> LogicalCluster.NONE;
    };
  }

  ObjectKey key(KubeObject object) {
    return new ObjectKey(cluster(object), object.namespace(), object.name());
  }
}
