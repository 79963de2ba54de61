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
import dev.mooring.syncagent.content.MarkedSecret;
import dev.mooring.syncagent.content.StateTooLarge;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a record is written as a Secret.
 *
 * @param namespace the agent's own, on the service cluster
 */
record RecordSecret(String namespace, String agentName) {
  /** Label that tells these Secrets from other states; its value is the identifier's hash. */
  static final String KIND_LABEL = SourceMarks.RECORD_LABEL;

  /** Says to other agents that this one is about to leave the copy to whoever needs it. */
  private static final String LETS_GO = "syncagent.kcp.io/lets-go";

  /** Characters; all values of a Secret together may take 1 MiB. */
  private static final int STATE_MAX = 900_000;

  private static final String RECORD = "record";
  private static final String STATE = "state";

  /**
   * The same for every record of the same copy and primary by this agent. Another one may have a
   * primary of the same type and name from another export, or another kcp.
   */
  String name(RelatedRecord record) {
    Holder holder = record.holder();
    return "mooring-related-"
        + Hashes.sha1Short(
            String.join(
                "|",
                agentName,
                holder.primaryType(),
                holder.primary().toString(),
                holder.identifier(),
                record.copy().type().toString(),
                record.copy().place().toString()));
  }

  /** Throws {@link StateTooLarge}. */
  KubeObject secret(RelatedRecord record) {
    return MarkedSecret.of(
        namespace,
        name(record),
        new SourceMarks(record.holder().primary(), agentName, Optional.empty()),
        Map.entry(KIND_LABEL, Hashes.sha1(record.holder().identifier())),
        Map.of(
            RECORD, base64(KubeJson.writeText(tree(record))),
            STATE, base64(state(record))));
  }

  /** Another agent of the same namespace may sync a type of the same name, from another export. */
  boolean isOwn(KubeObject secret) {
    return secret.labels().getOrDefault(SyncMarks.AGENT_NAME, agentName).equals(agentName);
  }

  boolean letsGo(KubeObject secret) {
    return secret.annotation(LETS_GO).isPresent();
  }

  /** What makes a record one that {@link #letsGo}; a record that is written anew does not. */
  Map<String, Object> lettingGo() {
    return Map.of("metadata", Map.of("annotations", Map.of(LETS_GO, "true")));
  }

  /** Empty if the Secret is none that {@link #secret} made: then nothing is recorded. */
  Optional<RelatedRecord> record(KubeObject secret) {
    try {
      Object tree = KubeJson.read(text(secret, RECORD));
      var holder =
          new Holder(
              Trees.textOrEmpty(Trees.at(tree, "primaryType")),
              new ObjectKey(
                  new LogicalCluster(Trees.textOrEmpty(Trees.at(tree, "cluster"))),
                  Trees.textOrEmpty(Trees.at(tree, "namespace")),
                  Trees.textOrEmpty(Trees.at(tree, "name"))),
              Trees.textOrEmpty(Trees.at(tree, "identifier")));
      return LastKnownState.read(text(secret, STATE))
          .map(state ->
              new RelatedRecord(
                  holder,
                  spot(Trees.at(tree, "original"), holder),
                  spot(Trees.at(tree, "copy"), holder),
                  Ownership.valueOf(Trees.textOrEmpty(Trees.at(tree, "ownership"))),
                  state,
                  Trees.textOrEmpty(Trees.at(tree, "copyUid"))));
    } catch (MalformedJson | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Object> tree(RelatedRecord record) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("primaryType", record.holder().primaryType());
    tree.put("cluster", record.holder().primary().cluster().name());
    tree.put("namespace", record.holder().primary().namespace());
    tree.put("name", record.holder().primary().name());
    tree.put("identifier", record.holder().identifier());
    tree.put("original", tree(record.original()));
    tree.put("copy", tree(record.copy()));
    tree.put("ownership", record.ownership().name());
    tree.put("copyUid", record.copyUid());
    return tree;
  }

  private static Map<String, Object> tree(Spot spot) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("side", spot.side().name());
    tree.put("group", spot.type().group());
    tree.put("version", spot.type().version());
    tree.put("resource", spot.type().resource());
    tree.put("namespace", spot.place().namespace());
    tree.put("name", spot.place().name());
    return tree;
  }

  private static Spot spot(Object tree, Holder holder) {
    Side side = Side.valueOf(Trees.textOrEmpty(Trees.at(tree, "side")));
    return new Spot(
        side,
        new ResourceType(
            Trees.textOrEmpty(Trees.at(tree, "group")),
            Trees.textOrEmpty(Trees.at(tree, "version")),
            Trees.textOrEmpty(Trees.at(tree, "resource"))),
        side == Side.KCP ? holder.primary().cluster() : LogicalCluster.NONE,
        new Place(
            Trees.textOrEmpty(Trees.at(tree, "namespace")),
            Trees.textOrEmpty(Trees.at(tree, "name"))));
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
