package dev.mooring.syncagent.content.decide;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A Secret of the Go agent (api-syncagent v0.7.0, internal/sync/state_store.go): {@code
 * obj-state-<cluster>-<hash>} for each primary object, with an entry for it and for each of its
 * related objects.
 *
 * <p>The Go agent names an entry by workspace, namespace and name alone, so that objects of
 * different kinds overwrite each other's: one counts only if it says that it is the very source's.
 */
public record GoAgentState(KubeObject secret) {
  private static final String NAME_PREFIX = "obj-state-";

  /** Content of a source as it was last written to its copy; empty if that is not known. */
  public Optional<Map<String, Object>> find(StateKey key) {
    return Optional.of(secret.text("data", entryName(key.source())))
        .filter(entry -> !entry.isEmpty())
        .flatMap(GoAgentState::decoded)
        .filter(state -> isOf(key, state))
        .map(SyncedContent::of);
  }

  /**
   * The primary: the Go agent names it by hashes alone, and what it knows of the primary says the
   * rest. Empty if this is none of its Secrets, or of another type.
   */
  public Optional<ObjectKey> sourceOf(ApiType type) {
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

  public static String secretName(StateKey primary) {
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

  public static String entryName(ObjectKey source) {
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
