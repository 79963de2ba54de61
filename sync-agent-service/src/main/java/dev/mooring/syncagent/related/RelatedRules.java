package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What holds for all primaries of one published type.
 *
 * @param misnamed identifiers of entries with a path that no primary can have
 * @param paths empty unless workspace paths are enabled
 */
public record RelatedRules(
    List<RelatedResource> entries,
    Set<String> misnamed,
    ResourceType primaryType,
    Adoption adoption,
    EmptyNamespaces emptyNamespaces,
    NamespaceMetadata namespaceMetadata,
    Optional<WorkspacePathCache> paths) {
  public RelatedRules {
    entries = List.copyOf(entries);
    misnamed = Set.copyOf(misnamed);
  }
}
