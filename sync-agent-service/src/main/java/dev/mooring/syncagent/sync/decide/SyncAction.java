package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.published.Side;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One write, with what must still be true for it to happen. {@code lastKnown} is the source's
 * content that the write brings to the copy, kept with it for the next three-way patch.
 */
public sealed interface SyncAction {
  /** Whose server the write goes to. */
  default Side side() {
    return switch (this) {
      case AddFinalizer _, RemoveFinalizer _, PatchSourceStatus _ -> Side.KCP;
      case CreateNamespace _, CreateCopy _, AdoptCopy _, PatchCopy _, DeleteCopy _, ReleaseCopy _ ->
          Side.SERVICE;
    };
  }

  /** Put our finalizer on the source, as it was seen. */
  record AddFinalizer(KubeObject source, List<String> finalizers) implements SyncAction {
    public AddFinalizer {
      finalizers = List.copyOf(finalizers);
    }
  }

  /** Make the Namespace that the copy goes into. */
  record CreateNamespace(String name) implements SyncAction {}

  /**
   * Make the copy, if the source, read again, is still this very object and not going: no server
   * can condition a create on another object.
   */
  record CreateCopy(KubeObject desired, Map<String, Object> lastKnown, String ifSourceUid)
      implements SyncAction {}

  /** Mark an object that has the copy's name as the copy; its content stays as it is. */
  record AdoptCopy(KubeObject stranger, Map<String, Object> patch, Map<String, Object> lastKnown)
      implements SyncAction {}

  /** Bring the copy in line, as it was seen; with an empty patch only the state is behind. */
  record PatchCopy(KubeObject copy, Map<String, Object> patch, Map<String, Object> lastKnown)
      implements SyncAction {}

  /** Give the source, as it was seen, the copy's status. */
  record PatchSourceStatus(KubeObject desired) implements SyncAction {}

  /** Delete the copy, as it was seen. */
  record DeleteCopy(KubeObject copy, DeletionPropagation propagation) implements SyncAction {}

  /** Take our marks off an adopted stranger, as it was seen, and let it live. */
  record ReleaseCopy(KubeObject copy, Map<String, Object> patch) implements SyncAction {}

  /**
   * Take our finalizer off the source, as it was seen.
   *
   * @param emptied a Namespace that the agent made and that is to go first, as it was seen: the
   *     source brings that about again if a server does not answer
   */
  record RemoveFinalizer(KubeObject source, List<String> finalizers, Optional<KubeObject> emptied)
      implements SyncAction {
    public RemoveFinalizer {
      finalizers = List.copyOf(finalizers);
    }

    public RemoveFinalizer(KubeObject source, List<String> finalizers) {
      this(source, finalizers, Optional.empty());
    }
  }
}
