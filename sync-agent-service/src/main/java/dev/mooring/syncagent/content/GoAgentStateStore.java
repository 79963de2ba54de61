package dev.mooring.syncagent.content;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.clusters.ServiceView;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.ApiType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last-known states that the Go agent left behind, each a {@link GoAgentState}. They are read,
 * never written, and go with their primary. Thread-safe.
 *
 * @param secrets of {@code namespace}, those labelled as states
 * @param namespace of the agent on the service cluster
 */
public record GoAgentStateStore(KubeClient service, ServiceView secrets, String namespace) {
  private static final Logger LOG = LoggerFactory.getLogger(GoAgentStateStore.class);
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  /** Of an object that belongs to the primary, or of the primary itself; empty if none is known. */
  public Optional<Map<String, Object>> find(StateKey primary, StateKey key) {
    return secrets
        .find(namespace, GoAgentState.secretName(primary))
        .flatMap(secret -> new GoAgentState(secret).find(key));
  }

  /** Whether {@link #drop(StateKey)} would find something. */
  boolean isKeptApart(StateKey primary) {
    return secret(primary).isPresent();
  }

  /** With the primary's copy gone. Nothing there is fine. */
  void drop(StateKey primary) {
    try {
      secret(primary).ifPresent(seen -> delete(seen, new DeleteCondition.SameObject(seen.uid())));
    } catch (KubeFailure e) {
      if (e.kind() != KubeFailure.Kind.CONFLICT) {
        throw e;
      }
      LOG.debug("The state of {} is gone already", primary.source());
    }
  }

  /** As {@link LastKnownStates#clearAway}. */
  void clearAway(StateKey primary) {
    secret(primary)
        .ifPresent(seen ->
            delete(seen, new DeleteCondition.Unchanged(seen.uid(), seen.resourceVersion())));
  }

  private Optional<KubeObject> secret(StateKey primary) {
    return secrets
        .find(namespace, GoAgentState.secretName(primary))
        .filter(secret -> !secret.deleting());
  }

  private void delete(KubeObject secret, DeleteCondition condition) {
    try {
      service.delete(SECRETS, namespace, secret.name(), condition);
      LOG.info("Removed {}, a state of the Go agent whose object is gone", secret.name());
    } catch (KubeFailure e) {
      switch (e.kind()) {
        case NOT_FOUND -> LOG.debug("{} is gone already", secret.name());
        // The Go agent had no right to delete Secrets, and a remaining one does no harm.
        case FORBIDDEN ->
            LOG.warn("{} stays, its object is gone: {}", secret.name(), e.getMessage());
        default -> throw e;
      }
    }
  }

  /** As {@link LastKnownStates#sourceOf}. */
  Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    return new GoAgentState(secret).sourceOf(type);
  }

  /** One entry alone, of an object that belongs to the primary and whose copy is gone. */
  public void drop(StateKey primary, StateKey key) {
    if (find(primary, key).isEmpty()) {
      return;
    }
    KubeObject secret = secrets.find(namespace, GoAgentState.secretName(primary)).orElseThrow();
    var removal = new HashMap<String, Object>();
    removal.put(GoAgentState.entryName(key.source()), null);
    try {
      service.patch(
          SECRETS, namespace, secret.name(), ConditionalPatch.on(secret, Map.of("data", removal)));
    } catch (KubeFailure e) {
      switch (e.kind()) {
        case NOT_FOUND, CONFLICT -> LOG.debug("{} has changed meanwhile", secret.name());
        case FORBIDDEN -> LOG.warn("{} stays as it is: {}", secret.name(), e.getMessage());
        default -> throw e;
      }
    }
  }
}
