package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.ApiType;
import dev.mooring.model.published.LabelSelector;
import dev.mooring.model.published.Naming;
import dev.mooring.model.published.ProjectedSchema.StatusSubresource;
import dev.mooring.model.published.PublishedResource.Synchronization;
import dev.mooring.model.published.SyncPolicy;
import dev.mooring.model.published.mutation.Mutations;
import java.util.Objects;

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
  public SyncRules {
    Objects.requireNonNull(agentName, "agentName");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(naming, "naming");
    Objects.requireNonNull(mutations, "mutations");
    Objects.requireNonNull(resourceFilter, "resourceFilter");
    Objects.requireNonNull(namespaceFilter, "namespaceFilter");
    Objects.requireNonNull(adoption, "adoption");
    Objects.requireNonNull(synchronization, "synchronization");
    Objects.requireNonNull(policy, "policy");
  }
}
