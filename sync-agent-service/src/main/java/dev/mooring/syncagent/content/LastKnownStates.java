package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes copies together with the content of their sources that is last known, on which the next
 * three-way patch is based. Content is written before its state, or in the same request; of a copy
 * that is new to the agent the state goes first, or what only the copy has would be overwritten
 * once. After a failure, observing again finds out how far the write came. Thread-safe for
 * different keys.
 *
 * <p>A state is kept with the copy where it has room there, else in a Secret. Where both have one,
 * the annotation wins: it cannot be older than the content.
 *
 * @param annotations empty where no annotation may hold a state: it would show a Secret's values
 * @param earlier what the Go agent left behind, asked where nothing of ours is known
 */
public record LastKnownStates(
    Optional<AnnotationStateStore> annotations,
    SecretStateStore secrets,
    GoAgentStateStore earlier) {
  /**
   * Content of the source as it was last written to the copy; empty if nothing is known, or what is
   * there cannot be read: then the state heals with the next write.
   *
   * @throws KubeFailure if a server has to be asked and does not answer
   */
  public Optional<Map<String, Object>> find(StateKey key, KubeObject copy) {
    return annotations
        .flatMap(_ -> AnnotationStateStore.find(copy))
        .or(() -> secrets.find(key))
        .or(() -> earlier.find(key, key))
        // A copy may be shown before its state, which without one would lose what is local.
        .or(() -> secrets.findStored(key));
  }

  /** As {@link #find}, and why nothing is known where that is so. */
  public LastSynced past(StateKey key, KubeObject copy) {
    return find(key, copy)
        .<LastSynced>map(LastSynced.Known::new)
        .orElseGet(() ->
            annotations.isPresent() && isWithCopy(copy) || secrets.isKeptApart(key)
                ? new LastSynced.Damaged()
                : new LastSynced.NotKept());
  }

  private static boolean isWithCopy(KubeObject copy) {
    return copy.annotation(SyncMarks.LAST_KNOWN_STATE).isPresent();
  }

  /** Creates the copy; throws {@link StateTooLarge} before anything is written. */
  public KubeObject create(StateKey key, KubeObject desired, Map<String, Object> state) {
    return ifItFits(store -> store.create(desired, state))
        .orElseGet(() -> secrets.create(key, desired, state));
  }

  /**
   * Changes the copy, on condition that it is still as it was seen; throws {@link StateTooLarge}
   * before anything is written. With an empty patch only the state is behind.
   */
  public KubeObject patch(
      StateKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> state) {
    Optional<KubeObject> after = ifItFits(store -> store.patch(copy, patch, state));
    if (after.isEmpty()) {
      return patchApart(key, copy, patch, state);
    }
    secrets.drop(key);
    return after.get();
  }

  /** An annotation goes with the content: until then it is the state to go on from. */
  private KubeObject patchApart(
      StateKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> state) {
    Map<String, Object> whole =
        isWithCopy(copy)
            ? ConditionalPatch.withAnnotation(patch, SyncMarks.LAST_KNOWN_STATE, null)
            : patch;
    return secrets.patch(key, copy, whole, find(key, copy).orElse(Map.of()), state);
  }

  /** Marks what has the copy's name as the copy, on condition that it is still as it was seen. */
  public KubeObject adopt(
      StateKey key, KubeObject stranger, Map<String, Object> patch, Map<String, Object> state) {
    return ifItFits(store -> store.patch(stranger, patch, state))
        .orElseGet(() -> secrets.adopt(key, stranger, patch, state));
  }

  /** Empty if no annotation holds states, or the state or the copy with it is too large for one. */
  private Optional<KubeObject> ifItFits(Function<AnnotationStateStore, KubeObject> write) {
    try {
      return annotations.map(write);
    } catch (StateTooLarge e) {
      return Optional.empty();
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.TOO_LARGE) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Whether {@link #drop} would find something. */
  public boolean isKeptApart(StateKey key) {
    return secrets.isKeptApart(key) || earlier.isKeptApart(key);
  }

  /** With the copy gone: what is kept apart from it goes, too. Nothing there is fine. */
  public void drop(StateKey key) {
    secrets.drop(key);
    earlier.drop(key);
  }

  /**
   * As {@link #drop} for a source without finalizer, which may be made again at any moment: throws
   * a conflict if the state has changed since it was seen.
   */
  public void clearAway(StateKey key) {
    secrets.clearAway(key);
    earlier.clearAway(key);
  }

  /** As {@link #clearAway}, but only what carries this agent's name. */
  public void clearAwayOwn(StateKey key) {
    secrets.clearAway(key);
  }

  /** Whose state this Secret keeps; empty if it keeps none of this agent and type. */
  public Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    return secrets.sourceOf(secret, type).or(() -> earlier.sourceOf(secret, type));
  }

  /** Every Secret in which a state may be kept, of any agent; in no particular order. */
  public List<KubeObject> kept() {
    return secrets.kept();
  }

  /** Whether everything that is kept can be read. */
  public boolean isSynced() {
    return secrets.isSynced();
  }

  /** Why not; empty if it can, or if that is not known yet. */
  public Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }
}
