package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.Hashes;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.fleet.SharedWatches;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Records of copies of related objects: one Secret in the agent's namespace for each primary, one
 * key for each entry. Reads come from a watch on such Secrets, opened with the first read; writes
 * are conditioned on what was read.
 */
final class RelatedStore {
  static final ResourceType SECRETS = ResourceType.core("secrets");

  private final KubeClient service;
  private final SharedWatches watches;
  private final String namespace;
  private final String agentName;
  private final ResourceType primaryType;

  RelatedStore(
      KubeClient service,
      SharedWatches watches,
      String namespace,
      String agentName,
      ResourceType primaryType) {
    this.service = service;
    this.watches = watches;
    this.namespace = namespace;
    this.agentName = agentName;
    this.primaryType = primaryType;
  }

  /** Whether everything that is recorded can be read. */
  boolean isSynced() {
    return watches.states(namespace).isSynced();
  }

  /** Empty if nothing is recorded, or not readably. */
  Optional<RelatedRecord> find(ObjectKey primary, String identifier) {
    return secret(primary)
        .map(secret -> secret.text("data", dataKey(identifier)))
        .filter(text -> !text.isEmpty())
        .flatMap(RelatedStore::decode);
  }

  void put(ObjectKey primary, String identifier, RelatedRecord record) {
    Map<String, Object> data = Map.of(dataKey(identifier), encode(record));
    Optional<KubeObject> secret = secret(primary);
    if (secret.isPresent()) {
      patch(secret.get(), data);
      return;
    }
    var marks = new SourceMarks(primary, agentName, Optional.empty());
    var labels = new LinkedHashMap<>(marks.labels());
    labels.put(SyncMarks.OBJECT_STATE, "true");
    service.create(
        SECRETS,
        KubeObject.of(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "metadata",
                Map.of(
                    "name",
                    name(primary),
                    "namespace",
                    namespace,
                    "labels",
                    labels,
                    "annotations",
                    marks.annotations()),
                "data",
                data)));
  }

  void drop(ObjectKey primary, String identifier) {
    var removal = new LinkedHashMap<String, Object>();
    removal.put(dataKey(identifier), null);
    secret(primary).ifPresent(secret -> patch(secret, removal));
  }

  /** False if there was nothing. */
  boolean dropAll(ObjectKey primary) {
    Optional<KubeObject> secret = secret(primary);
    if (secret.isEmpty()) {
      return false;
    }
    try {
      service.delete(
          SECRETS, namespace, name(primary), new DeleteCondition.SameObject(secret.get().uid()));
      return true;
    } catch (KubeFailure e) {
      if (e.kind() == Kind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private void patch(KubeObject secret, Map<String, Object> data) {
    service.patch(
        SECRETS,
        namespace,
        secret.name(),
        Map.of("metadata", Map.of("resourceVersion", secret.resourceVersion()), "data", data));
  }

  private Optional<KubeObject> secret(ObjectKey primary) {
    return watches
        .states(namespace)
        .find(namespace, name(primary))
        .filter(secret -> !secret.deleting());
  }

  private String name(ObjectKey primary) {
    return "mooring-state-"
        + Hashes.sha1Short(
            primaryType.qualified()
                + "|"
                + primary.cluster()
                + "|"
                + primary.namespace()
                + "|"
                + primary.name());
  }

  /** Identifiers are free text; keys of Secrets are not. */
  private static String dataKey(String identifier) {
    return identifier.matches("[A-Za-z0-9._-]{1,200}") && !identifier.startsWith("..")
        ? identifier
        : Hashes.sha1(identifier);
  }

  private static String encode(RelatedRecord record) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("group", record.type().group());
    tree.put("version", record.type().version());
    tree.put("resource", record.type().resource());
    tree.put("namespace", record.place().namespace());
    tree.put("name", record.place().name());
    tree.put("ownership", record.ownership().name());
    tree.put("lastKnown", record.lastKnown());
    return Base64.getEncoder().encodeToString(KubeJson.write(tree));
  }

  private static Optional<RelatedRecord> decode(String text) {
    try {
      KubeObject tree = KubeJson.readObject(Base64.getDecoder().decode(text));
      return Optional.of(
          new RelatedRecord(
              new ResourceType(tree.text("group"), tree.text("version"), tree.text("resource")),
              new Place(tree.text("namespace"), tree.text("name")),
              Ownership.valueOf(tree.text("ownership")),
              Trees.mapOrEmpty(tree.at("lastKnown"))));
    } catch (MalformedJson | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
