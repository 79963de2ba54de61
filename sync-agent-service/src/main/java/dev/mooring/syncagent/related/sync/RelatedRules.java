package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.clusters.WorkspacePathCache;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import java.util.List;
import java.util.Optional;

/**
 * What holds for all primaries of one published type.
 *
 * @param paths empty unless workspace paths are enabled
 */
public record RelatedRules(
    List<RelatedResource> entries,
    ResourceType primaryType,
    Adoption adoption,
    EmptyNamespaces emptyNamespaces,
    NamespaceMetadata namespaceMetadata,
    Optional<WorkspacePathCache> paths) {
  public RelatedRules {
    entries = List.copyOf(entries);
  }
}
