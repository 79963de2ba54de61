package dev.mooring.syncagent.sync.decide;

import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Naming;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.mutation.Mutations;

/**
 * What holds for all objects of one published type.
 *
 * @param source the type as consumers see it
 * @param copy the type on the service cluster
 */
public record SyncRules(
    String agentName,
    ApiType source,
    ApiType copy,
    StatusSubresource status,
    Naming naming,
    Mutations mutations,
    LabelSelector resourceFilter,
    LabelSelector namespaceFilter,
    Adoption adoption,
    Synchronization synchronization,
    SyncPolicy policy) {

  /** With this adoption where the PublishedResource sets none. */
  public static SyncRules of(
      String agentName, PublishedResource published, ProjectedSchema schema, Adoption adoption) {
    return new SyncRules(
        agentName,
        schema.inKcp(),
        schema.onService(),
        schema.statusInKcp(),
        published.naming(),
        published.mutations(),
        published.resourceFilter(),
        published.namespaceFilter(),
        published.adoption().orElse(adoption),
        published.synchronization(),
        published.syncPolicy());
  }
}
