package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that one decision is made on, read before it.
 *
 * @param source empty if it does not exist
 * @param sourceNamespace what is known of the source's Namespace
 * @param place where a new copy would go; empty where none is to be made
 * @param targetNamespace of that place
 * @param emptied the Namespace that the agent made for the copy, if nothing of the agent is in it
 *     and it is to go then
 * @param path of the source's workspace, where asked for
 */
public record SyncSnapshot(
    SyncRules rules,
    ObjectKey key,
    Optional<KubeObject> source,
    SourceNamespace sourceNamespace,
    CopyLookup copy,
    Optional<CopyName> place,
    CopyNamespace targetNamespace,
    Optional<KubeObject> emptied,
    Optional<String> path) {
  /** The Namespace that the source is in. */
  public sealed interface SourceNamespace {
    /** The source has none, or no filter asks for it. */
    record NotAsked() implements SourceNamespace {}

    /** It is not there yet, or not shown to the agent: nothing may be deleted because of it. */
    record Unseen() implements SourceNamespace {}

    /** The consumer does not let the agent see it; why is said in whole sentences. */
    record Hidden(String why) implements SourceNamespace {}

    record Labelled(Map<String, String> labels) implements SourceNamespace {
      public Labelled {
        labels = Map.copyOf(labels);
      }
    }
  }
}
