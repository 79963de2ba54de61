package dev.mooring.syncagent.fleet;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;

/** Objects of one type on the service cluster, as last seen. Thread-safe. */
public interface ServiceView {
  /**
   * Meaningful only while {@link #isSynced}.
   *
   * @param namespace empty for a cluster-scoped type
   */
  Optional<KubeObject> find(String namespace, String name);

  /** By an index that the view was opened with; sorted by namespace and name. */
  List<KubeObject> indexed(String index, String value);

  /** Whether everything has been listed once. */
  boolean isSynced();
}
