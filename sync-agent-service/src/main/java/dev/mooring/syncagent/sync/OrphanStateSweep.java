package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.content.LastKnownStates;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds sources that are not seen any more, but of which a state is kept in a Secret: an agent that
 * was down gets no event of their end. Thread-safe.
 */
final class OrphanStateSweep {
  private final ApiType type;
  private final MultiShardLister sources;
  private final LastKnownStates states;
  private final Consumer<ObjectKey> requeue;
  private volatile boolean swept;

  OrphanStateSweep(
      ApiType type, MultiShardLister sources, LastKnownStates states, Consumer<ObjectKey> requeue) {
    this.type = type;
    this.sources = sources;
    this.states = states;
    this.requeue = requeue;
  }

  /** All there are by now; used once the caches are filled. */
  void sweep() {
    swept = true;
    Set<String> shown =
        sources.keys().stream().map(SourceMarks::identity).collect(Collectors.toSet());
    // Hashes are compared before any state is read: there may be as many as objects.
    states.kept().stream()
        .filter(secret -> !shown.contains(SourceMarks.identityOf(secret)))
        .flatMap(secret -> stray(secret).stream())
        .forEach(requeue);
  }

  /** A Secret that is written late may be an orphan, too. Before the sweep absence says nothing. */
  void changed(Change change) {
    KubeObject secret = change.latest();
    if (swept
        && !(change instanceof Change.Removed)
        && "true".equals(secret.labels().get(SyncMarks.OBJECT_STATE))) {
      stray(secret).ifPresent(requeue);
    }
  }

  private Optional<ObjectKey> stray(KubeObject secret) {
    return secret.deleting()
        ? Optional.empty()
        : states.sourceOf(secret, type).filter(source -> sources.find(source).isEmpty());
  }
}
