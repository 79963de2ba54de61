package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.sync.decide.SyncPlan;
import java.util.function.Consumer;

/**
 * Finds the sources that a change on either side concerns. Thread-safe.
 *
 * @param changed receives sources that are not known to be synced from now on
 * @param queue receives sources that are to be worked on, and may be synced all the same
 */
record SyncTriggers(
    String agentName,
    MultiShardLister sources,
    PrimaryWrites writes,
    FailureRegistry failures,
    Consumer<ObjectKey> changed,
    Consumer<ObjectKey> queue) {
  /** A copy of another agent may take this source's name, or free it. */
  void copyChanged(Change change) {
    if (change instanceof Change.Updated(var _, var before, var _)) {
      // Marks that were edited away: the source they named has to look for its copy.
      SourceMarks.sourcesOf(before, sources::keys).forEach(changed);
    }
    KubeObject copy = change.latest();
    SourceMarks.sourcesOf(copy, sources::keys)
        .forEach(source -> {
          if (SourceMarks.mayBeOf(agentName, copy)) {
            writes.copyChanged(source, change);
          }
          changed.accept(source);
        });
  }

  void sourceNamespaceChanged(Change change) {
    sources.keysIn(change.key().cluster()).stream()
        .filter(key -> key.namespace().equals(change.key().name()))
        .forEach(queue);
  }

  /** The workspace's permission claims may show other objects from now on. */
  void claimsChanged(LogicalCluster cluster) {
    sources.keysIn(cluster).forEach(queue);
  }

  void targetNamespaceChanged(Change change) {
    writes.forgetNamespace(change.key().name());
    if (change instanceof Change.Removed) {
      failures.with(SyncPlan.Why.NAMESPACE_TERMINATING.text()).forEach(queue);
    }
  }
}
