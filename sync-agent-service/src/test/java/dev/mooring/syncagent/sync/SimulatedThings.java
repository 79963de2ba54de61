package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.NamePattern;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.Naming;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.mutation.Mutations;
import dev.mooring.syncagent.sync.decide.SyncRules;
import java.util.Map;

/** What is published where a simulation takes its steps one by one. */
final class SimulatedThings {
  private SimulatedThings() {}

  static KubeObject object(String namespace, String name) {
    return KubeObject.of(Map.of("metadata", Map.of("namespace", namespace, "name", name)));
  }

  static SyncRules rules() {
    return rules(Adoption.NEVER, SyncPolicy.DEFAULT);
  }

  static SyncRules rules(Adoption adoption, SyncPolicy policy) {
    var thing =
        new ApiType(new ResourceType("example.io", "v1", "things"), "Thing", Scope.NAMESPACED);
    return new SyncRules(
        "agent",
        thing,
        thing,
        StatusSubresource.PRESENT,
        new Naming(
            NamePattern.compile("$remoteClusterName", "namespace"),
            NamePattern.compile("$remoteName", "name"),
            NamespaceMetadata.NONE),
        Mutations.NONE,
        LabelSelector.EVERYTHING,
        LabelSelector.EVERYTHING,
        adoption,
        Synchronization.ON,
        policy);
  }
}
