package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.watch.PendingWrites;
import dev.mooring.syncagent.clusters.ServiceView;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Keeps the state in a Secret of the agent's namespace, one for each copy: for copies that no
 * annotation may be put on, and states too large for one. What was written is known at once, before
 * the watch shows it.
 */
public final class SecretStateStore {
  static final ResourceType SECRETS = ResourceType.core("secrets");

  /** All values of a Secret together may take 1 MiB; the rest is for its keys. */
  static final int STATE_MAX = 1_000_000;

  private final KubeClient service;
  private final ResourceType type;
  private final ServiceView secrets;
  private final String namespace;
  private final String agentName;

  /** Secrets by name. */
  private final PendingWrites<String> written = new PendingWrites<>();

  public SecretStateStore(
      KubeClient service,
      ResourceType type,
      ServiceView secrets,
      String namespace,
      String agentName) {
    this.service = service;
    this.type = type;
    this.secrets = secrets;
    this.namespace = namespace;
    this.agentName = agentName;
  }

  Optional<Map<String, Object>> find(StateKey key) {
    return secret(key).flatMap(LastKnownState::readFromSecret);
  }

  /** As the server has it now. */
  Optional<Map<String, Object>> findStored(StateKey key) {
    return service
        .find(SECRETS, namespace, key.secretName())
        .filter(secret -> !secret.deleting())
        .flatMap(LastKnownState::readFromSecret);
  }

  KubeObject create(StateKey key, KubeObject desired, Map<String, Object> state) {
    return withState(key, state, () -> service.create(type, desired));
  }

  KubeObject adopt(
      StateKey key, KubeObject stranger, Map<String, Object> patch, Map<String, Object> state) {
    return withState(key, state, () -> patched(stranger, patch));
  }

  /**
   * The state of a new copy goes first. One that is there stays until the copy is: it may be of
   * this very copy, made by another agent or robbed of its marks.
   */
  private KubeObject withState(
      StateKey key, Map<String, Object> state, Supplier<KubeObject> writing) {
    String encoded = encoded(state);
    boolean stored = putIfNone(key, encoded);
    if (!stored) {
      find(key).or(() -> findStored(key)).ifPresent(known -> announce(key, known, state));
    }
    KubeObject copy = writing.get();
    if (!stored) {
      put(key, encoded);
    }
    return copy;
  }

  private KubeObject patched(KubeObject copy, Map<String, Object> patch) {
    return patch.isEmpty() ? copy : patchedAsSeen(copy, patch);
  }

  private KubeObject patchedAsSeen(KubeObject copy, Map<String, Object> patch) {
    return service.patch(type, copy.namespace(), copy.name(), ConditionalPatch.on(copy, patch));
  }

  private boolean putIfNone(StateKey key, String encoded) {
    try {
      // By the server's word: a watch may still show one that is gone.
      written.wrote(key.secretName(), make(key, encoded));
      return true;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.ALREADY_EXISTS) {
        return false;
      }
      throw e;
    }
  }

  KubeObject patch(
      StateKey key,
      KubeObject copy,
      Map<String, Object> patch,
      Map<String, Object> known,
      Map<String, Object> state) {
    String encoded = encoded(state);
    if (!patch.isEmpty()) {
      announce(key, known, state);
    }
    // The copy may have been read before a write whose answer was lost: the empty patch fails then.
    KubeObject after =
        ValueDigests.match(known, state) ? patched(copy, patch) : patchedAsSeen(copy, patch);
    put(key, encoded);
    return after;
  }

  /** Until the new state is written, the old one must not count for what is about to change. */
  private void announce(StateKey key, Map<String, Object> known, Map<String, Object> state) {
    Map<String, Object> unsettled = SyncedContent.unsettled(known, state);
    if (find(key).filter(stored -> ValueDigests.match(stored, unsettled)).isEmpty()) {
      put(key, encoded(unsettled));
    }
  }

  boolean isKeptApart(StateKey key) {
    return secret(key).isPresent();
  }

  void drop(StateKey key) {
    Optional<KubeObject> secret = secret(key);
    if (secret.isEmpty()) {
      return;
    }
    try {
      service.delete(
          SECRETS, namespace, key.secretName(), new DeleteCondition.SameObject(secret.get().uid()));
    } catch (KubeFailure e) {
      if (e.kind() != Kind.NOT_FOUND && e.kind() != Kind.CONFLICT) {
        throw e;
      }
      // Gone already, or another one that this process did not write.
    }
    written.removed(key.secretName(), secret.get().uid());
  }

  Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    return isOwn(secret)
        ? SourceMarks.sourceOf(secret)
            .filter(source -> secret.name().equals(StateKey.of(type, source).secretName()))
        : Optional.empty();
  }

  /** What carries this agent's name, as far as nothing of it has changed since it was seen. */
  void clearAway(StateKey key) {
    Optional<KubeObject> seen = secret(key).filter(this::isOwn);
    if (seen.isEmpty()) {
      return;
    }
    // What was written is not what is there if this fails: the watch is to be believed then.
    written.forget(key.secretName());
    try {
      service.delete(
          SECRETS,
          namespace,
          key.secretName(),
          new DeleteCondition.Unchanged(seen.get().uid(), seen.get().resourceVersion()));
    } catch (KubeFailure e) {
      if (e.kind() != Kind.NOT_FOUND) {
        throw e;
      }
    }
    written.removed(key.secretName(), seen.get().uid());
  }

  List<KubeObject> kept() {
    return secrets.inNamespace(namespace);
  }

  private boolean isOwn(KubeObject secret) {
    return agentName.equals(secret.labels().get(SyncMarks.AGENT_NAME));
  }

  boolean isSynced() {
    return secrets.isSynced();
  }

  Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }

  private void put(StateKey key, String encoded) {
    try {
      put(key, secret(key), encoded);
    } catch (KubeFailure e) {
      if (e.kind() != Kind.CONFLICT
          && e.kind() != Kind.NOT_FOUND
          && e.kind() != Kind.ALREADY_EXISTS) {
        throw e;
      }
      // The watch is behind, or a person was here: as the server has it now.
      put(key, service.find(SECRETS, namespace, key.secretName()), encoded);
    }
  }

  private void put(StateKey key, Optional<KubeObject> known, String encoded) {
    written.wrote(
        key.secretName(), known.isPresent() ? change(known.get(), encoded) : make(key, encoded));
  }

  private KubeObject change(KubeObject secret, String encoded) {
    return service.patch(
        SECRETS,
        namespace,
        secret.name(),
        ConditionalPatch.on(secret, Map.of("data", Map.of(LastKnownState.SECRET_KEY, encoded))));
  }

  private KubeObject make(StateKey key, String encoded) {
    return service.create(
        SECRETS,
        new SourceMarks(key.source(), agentName, Optional.empty())
            .secret(
                namespace,
                key.secretName(),
                Map.entry(SyncMarks.OBJECT_STATE, "true"),
                Map.of(LastKnownState.SECRET_KEY, encoded)));
  }

  /** The newest that is known of it. */
  private Optional<KubeObject> secret(StateKey key) {
    String name = key.secretName();
    return written.newest(
        name, () -> secrets.find(namespace, name).filter(secret -> !secret.deleting()));
  }

  private static String encoded(Map<String, Object> state) {
    byte[] bytes = LastKnownState.bytes(state);
    if (bytes.length > STATE_MAX) {
      throw new StateTooLarge(bytes.length, STATE_MAX);
    }
    return Base64.getEncoder().encodeToString(bytes);
  }
}
