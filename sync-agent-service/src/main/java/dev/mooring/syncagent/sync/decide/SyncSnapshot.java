package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that one decision is made on, read before it.
 *
 * @param source empty if it does not exist
 * @param namespaceLabels of the source's Namespace; empty where no filter asks for them
 * @param place where a new copy would go; empty if there is no source
 * @param targetNamespace of that place
 * @param path of the source's workspace, where asked for
 */
public record SyncSnapshot(
    SyncRules rules,
    ObjectKey key,
    Optional<KubeObject> source,
    Map<String, String> namespaceLabels,
    Sighting copy,
    Optional<CopyPlace> place,
    TargetNamespace targetNamespace,
    Optional<String> path) {
  public SyncSnapshot {
    Objects.requireNonNull(rules, "rules");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(source, "source");
    namespaceLabels = Map.copyOf(namespaceLabels);
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(targetNamespace, "targetNamespace");
    Objects.requireNonNull(path, "path");
  }

  /** State of the Namespace that a new copy would go into. */
  public enum TargetNamespace {
    /** The copy is cluster-scoped, or has no place. */
    NOT_NEEDED,
    PRESENT,
    ABSENT,
    TERMINATING
  }
}
