package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps a state with the copy where it has room there, else in a Secret. Where both have one, the
 * annotation wins: it cannot be older than the content. A state that only an earlier agent wrote is
 * used as long as it is the newest there is.
 *
 * @param annotations empty where no annotation may hold a state: it would show a Secret's values
 * @param earlier what the Go agent left behind, asked where nothing of ours is known
 */
public record FallbackStateStore(
    Optional<AnnotationStateStore> annotations, SecretStateStore secrets, GoAgentStateStore earlier)
    implements LastKnownStates {
  @Override
  public Optional<Map<String, Object>> find(StateKey key, KubeObject copy) {
    Optional<Map<String, Object>> ours =
        annotations.flatMap(store -> store.find(key, copy)).or(() -> secrets.find(key, copy));
    // A copy may be shown before its state, which without one would lose what is local.
    return ours.or(() -> earlier.find(key, key)).or(() -> secrets.findStored(key));
  }

  @Override
  public KubeObject create(StateKey key, KubeObject desired, Map<String, Object> state) {
    return ifItFits(store -> store.create(key, desired, state))
        .orElseGet(() -> secrets.create(key, desired, state));
  }

  @Override
  public KubeObject patch(
      StateKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> state) {
    Optional<KubeObject> after = ifItFits(store -> store.patch(key, copy, patch, state));
    if (after.isEmpty()) {
      return patchApart(key, copy, patch, state);
    }
    secrets.drop(key);
    return after.get();
  }

  @Override
  public KubeObject adopt(
      StateKey key, KubeObject stranger, Map<String, Object> patch, Map<String, Object> state) {
    return ifItFits(store -> store.adopt(key, stranger, patch, state))
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

  @Override
  public boolean keeps(StateKey key, KubeObject copy) {
    return annotations.filter(store -> store.keeps(key, copy)).isPresent()
        || secrets.keeps(key, copy);
  }

  @Override
  public boolean isKeptApart(StateKey key) {
    return secrets.isKeptApart(key) || earlier.isKeptApart(key);
  }

  @Override
  public void drop(StateKey key) {
    secrets.drop(key);
    earlier.drop(key);
  }

  @Override
  public Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    return secrets.sourceOf(secret, type).or(() -> earlier.sourceOf(secret, type));
  }

  @Override
  public void clearAway(StateKey key) {
    secrets.clearAway(key);
    earlier.clearAway(key);
  }

  @Override
  public void clearAwayOwn(StateKey key) {
    secrets.clearAwayOwn(key);
  }

  @Override
  public List<KubeObject> kept() {
    return secrets.kept();
  }

  @Override
  public boolean isSynced() {
    return secrets.isSynced();
  }

  @Override
  public Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }

  /** An annotation goes with the content: until then it is the state to go on from. */
  private KubeObject patchApart(
      StateKey key, KubeObject copy, Map<String, Object> patch, Map<String, Object> state) {
    Map<String, Object> whole =
        copy.annotation(SyncMarks.LAST_KNOWN_STATE).isPresent()
            ? ConditionalPatch.withAnnotation(patch, SyncMarks.LAST_KNOWN_STATE, null)
            : patch;
    return secrets.patch(key, copy, whole, find(key, copy).orElse(Map.of()), state);
  }
}
