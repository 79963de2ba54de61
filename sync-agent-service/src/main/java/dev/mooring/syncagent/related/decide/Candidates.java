package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/** Objects on the origin's side that a selector can match, from caches. */
public interface Candidates {
  List<KubeObject> namespaces();

  /**
   * Objects of the original's type.
   *
   * @param namespace empty for a cluster-scoped type
   */
  List<KubeObject> objects(String namespace);
}
