package dev.mooring.syncagent.clusters;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
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

  /**
   * @param namespace empty for a cluster-scoped type
   */
  List<KubeObject> inNamespace(String namespace);

  /** Whether everything has been listed once. */
  boolean isSynced();

  /** Why nothing can be listed or watched at the moment; empty if that is not so. */
  Optional<KubeFailure> lastFailure();
}
