package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.syncagent.related.sync.Progress;
import java.util.Optional;

/** What a primary's own sync asks of its related objects. Thread-safe for different primaries. */
public interface RelatedSync {
  /**
   * While the primary lives and is itself in step.
   *
   * @param path of the workspace, where asked for
   */
  Progress sync(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace);

  /** While the primary goes; settled once it need not wait for related objects any more. */
  Progress cleanUp(
      ObjectKey key,
      KubeObject source,
      Optional<KubeObject> copy,
      Optional<String> path,
      KubeClient workspace);

  /** Whether anything is recorded of a primary's related objects. */
  boolean isRecorded(ObjectKey key);

  /**
   * After the end of a primary that did not wait for its related objects, and has no copy any more;
   * settled once nothing is left of them but what {@code cleanup} keeps.
   */
  Progress cleanUpOrphaned(ObjectKey key);

  /** The primary is gone. */
  void forget(ObjectKey key);
}
