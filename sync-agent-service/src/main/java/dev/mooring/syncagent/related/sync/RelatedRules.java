package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.PublishedResource.WorkspacePaths;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import java.util.List;

/** What holds for all primaries of one published type. */
public record RelatedRules(
    List<RelatedResource> entries,
    ResourceType primaryType,
    Adoption adoption,
    EmptyNamespaces emptyNamespaces,
    WorkspacePaths workspacePaths) {
  public RelatedRules {
    entries = List.copyOf(entries);
  }
}
