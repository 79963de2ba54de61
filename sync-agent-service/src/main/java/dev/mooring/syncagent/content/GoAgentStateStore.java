package dev.mooring.syncagent.content;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeWriter;
import dev.mooring.syncagent.clusters.ServiceView;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last-known states that the Go agent left behind (api-syncagent v0.7.0,
 * internal/sync/state_store.go): one Secret {@code obj-state-<cluster>-<hash>} for each primary
 * object, with an entry for it and for each of its related objects. They are read, never written,
 * and go with their primary. Thread-safe.
 *
 * <p>The Go agent names an entry by workspace, namespace and name alone, so that objects of
 * different kinds overwrite each other's: one counts only if it says that it is the very source's.
 *
 * @param secrets of {@code namespace}, those labelled as states
 * @param namespace of the agent on the service cluster
 */
public record GoAgentStateStore(KubeWriter service, ServiceView secrets, String namespace)
    implements KnownState {
  private static final Logger LOG = LoggerFactory.getLogger(GoAgentStateStore.class);
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final String NAME_PREFIX = "obj-state-";

  /** Of a primary object. */
  @Override
  public Optional<Map<String, Object>> find(StateKey key, KubeObject copy) {
    return find(key, key);
  }

  /**
   * Of an object that belongs to the primary, or of the primary itself.
   *
   * @param key its source's; on the service cluster in {@link LogicalCluster#NONE}
   */
  public Optional<Map<String, Object>> find(StateKey primary, StateKey key) {
    return secrets
        .find(namespace, secretName(primary))
        .map(secret -> secret.text("data", entryName(key.source())))
        .filter(entry -> !entry.isEmpty())
        .flatMap(GoAgentStateStore::decoded)
        .filter(state -> isOf(key, state))
        .map(SyncedContent::of);
  }

  @Override
  public boolean isKeptApart(StateKey primary) {
    return secret(primary).isPresent();
  }

  @Override
  public void drop(StateKey primary) {
    Optional<KubeObject> secret = secret(primary);
    if (secret.isEmpty()) {
      return;
    }
    try {
      delete(secret.get(), new DeleteCondition.SameObject(secret.get().uid()));
    } catch (KubeFailure e) {
      if (e.kind() != KubeFailure.Kind.CONFLICT) {
        throw e;
      }
      LOG.debug("{} is gone already", secret.get().name());
    }
  }

  @Override
  public void clearAway(StateKey primary) {
    secret(primary)
        .ifPresent(seen ->
            delete(seen, new DeleteCondition.Unchanged(seen.uid(), seen.resourceVersion())));
  }

  private Optional<KubeObject> secret(StateKey primary) {
    return secrets.find(namespace, secretName(primary)).filter(secret -> !secret.deleting());
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

  /** The Go agent names a primary by hashes alone; what it knows of the primary says the rest. */
  @Override
  public Optional<ObjectKey> sourceOf(KubeObject secret, ApiType type) {
    String cluster = secret.labels().getOrDefault(SyncMarks.SOURCE_CLUSTER, "");
    if (!cluster.matches("[a-z0-9-]{1,64}")
        || !secret.name().startsWith(NAME_PREFIX + cluster + "-")) {
      return Optional.empty();
    }
    return secret.map("data").values().stream()
        .flatMap(entry -> decoded(Trees.textOrEmpty(entry)).stream())
        .filter(state -> !state.name().isEmpty())
        .map(state -> new ObjectKey(new LogicalCluster(cluster), state.namespace(), state.name()))
        .filter(source -> secretName(StateKey.of(type, source)).equals(secret.name()))
        .findFirst();
  }

  /** One entry alone, of an object that belongs to the primary and whose copy is gone. */
  public void drop(StateKey primary, StateKey key) {
    if (find(primary, key).isEmpty()) {
      return;
    }
    KubeObject secret = secrets.find(namespace, secretName(primary)).orElseThrow();
    var removal = new HashMap<String, Object>();
    removal.put(entryName(key.source()), null);
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

  static String secretName(StateKey primary) {
    var identity = new LinkedHashMap<String, Object>();
    identity.put("apiVersion", primary.apiVersion());
    identity.put("kind", primary.kind());
    identity.put("name", primary.source().name());
    identity.put("namespace", primary.source().namespace());
    return NAME_PREFIX
        + primary.source().cluster().name()
        + "-"
        + Hashes.sha1Short(asGoEncodes(identity));
  }

  static String entryName(ObjectKey source) {
    var identity = new LinkedHashMap<String, Object>();
    identity.put(
        "ClusterName", source.cluster().equals(LogicalCluster.NONE) ? "" : source.cluster().name());
    identity.put("WorkspacePath", "");
    identity.put("Namespace", source.namespace());
    identity.put("Name", source.name());
    return Hashes.sha1(asGoEncodes(identity));
  }

  /** Go's json.Encoder ends with a new line; nothing here needs its escapes for HTML. */
  private static String asGoEncodes(Map<String, Object> identity) {
    return KubeJson.writeText(identity) + "\n";
  }

  private static Optional<KubeObject> decoded(String base64) {
    try {
      return KubeJson.read(Base64.getDecoder().decode(base64)) instanceof Map<?, ?> tree
          ? Optional.of(KubeObject.of(Trees.mapOrEmpty(tree)))
          : Optional.empty();
    } catch (IllegalArgumentException | MalformedJson e) {
      return Optional.empty();
    }
  }

  private static boolean isOf(StateKey key, KubeObject state) {
    return state.text("apiVersion").equals(key.apiVersion())
        && state.text("kind").equals(key.kind())
        && state.namespace().equals(key.source().namespace())
        && state.name().equals(key.source().name());
  }
}
