package dev.mooring.syncagent.related;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.LastKnownState;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Ownership;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a record is written as a Secret of the agent's namespace on the service cluster. */
public record RecordSecretCodec(String namespace, String agentName) {
  /** Label that only these Secrets have; its value is the identifier's hash. */
  public static final String KIND_LABEL = SourceMarks.RECORD_LABEL;

  /** Announces to other agents that this one hands the copy over to those that need it. */
  private static final String HANDOVER = "syncagent.kcp.io/lets-go";

  /** Characters; all values of a Secret together may take 1 MiB. */
  private static final int STATE_MAX = 900_000;

  private static final String RECORD = "record";
  private static final String STATE = "state";

  /**
   * The same for every record of the same copy and primary by this agent. Another agent may have a
   * primary of the same type and name from another export, or another kcp.
   */
  public String name(RelatedRecord record) {
    RecordOwner owner = record.owner();
    return "mooring-related-"
        + Hashes.sha1Short(
            String.join(
                "|",
                agentName,
                owner.primaryType(),
                owner.primary().toString(),
                owner.identifier(),
                record.copy().type().toString(),
                record.copy().namespacedName()));
  }

  /** Throws {@link StateTooLarge}. */
  public KubeObject secret(RelatedRecord record) {
    return new SourceMarks(record.owner().primary(), agentName, Optional.empty())
        .secret(
            namespace,
            name(record),
            Map.entry(KIND_LABEL, Hashes.sha1(record.owner().identifier())),
            Map.of(
                RECORD, base64(KubeJson.writeText(tree(record))),
                STATE, base64(state(record))));
  }

  /** Another agent of the same namespace may sync a type of the same name, from another export. */
  public boolean isOwn(KubeObject secret) {
    return secret.labels().getOrDefault(SyncMarks.AGENT_NAME, agentName).equals(agentName);
  }

  public boolean announcesHandover(KubeObject secret) {
    return secret.annotation(HANDOVER).isPresent();
  }

  /** A patch after which the Secret {@link #announcesHandover}, until the record is stored. */
  public Map<String, Object> handoverAnnouncement() {
    return Map.of("metadata", Map.of("annotations", Map.of(HANDOVER, "true")));
  }

  /** Empty if the Secret is none that {@link #secret} made: then nothing is recorded. */
  public Optional<RelatedRecord> record(KubeObject secret) {
    try {
      Object tree = KubeJson.read(text(secret, RECORD));
      var owner =
          new RecordOwner(
              Trees.text(tree, "primaryType"),
              new ObjectKey(
                  new LogicalCluster(Trees.text(tree, "cluster")),
                  Trees.text(tree, "namespace"),
                  Trees.text(tree, "name")),
              Trees.text(tree, "identifier"));
      return LastKnownState.read(text(secret, STATE))
          .map(state ->
              new RelatedRecord(
                  owner,
                  ref(Trees.at(tree, "original"), owner),
                  ref(Trees.at(tree, "copy"), owner),
                  Ownership.valueOf(Trees.text(tree, "ownership")),
                  state,
                  Trees.text(tree, "copyUid")));
    } catch (MalformedJson | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Object> tree(RelatedRecord record) {
    ObjectKey primary = record.owner().primary();
    return Trees.ordered(
        "primaryType", record.owner().primaryType(),
        "cluster", primary.cluster().name(),
        "namespace", primary.namespace(),
        "name", primary.name(),
        "identifier", record.owner().identifier(),
        "original", tree(record.original()),
        "copy", tree(record.copy()),
        "ownership", record.ownership().name(),
        "copyUid", record.copyUid());
  }

  private static Map<String, Object> tree(ObjectRef ref) {
    return Trees.ordered(
        "side", ref.side().name(),
        "group", ref.type().group(),
        "version", ref.type().version(),
        "resource", ref.type().resource(),
        "namespace", ref.namespace(),
        "name", ref.name());
  }

  private static ObjectRef ref(@Nullable Object tree, RecordOwner owner) {
    return ObjectRef.of(
        Side.valueOf(Trees.text(tree, "side")),
        new ResourceType(
            Trees.text(tree, "group"), Trees.text(tree, "version"), Trees.text(tree, "resource")),
        owner.primary().cluster(),
        Trees.text(tree, "namespace"),
        Trees.text(tree, "name"));
  }

  private static String state(RelatedRecord record) {
    String text = LastKnownState.text(record.lastKnown());
    if (text.length() > STATE_MAX) {
      throw new StateTooLarge(text.length(), STATE_MAX);
    }
    return text;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(KubeObject secret, String key) {
    return new String(Base64.getDecoder().decode(secret.text("data", key)), StandardCharsets.UTF_8);
  }
}
