package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The types that one export offers in its virtual workspace. Lives as long as one request or watch.
 */
final class ApiDefinitions {
  /** A type of the virtual workspace: which objects are visible, and which verbs are allowed. */
  sealed interface Offered {
    ResourceDefinition definition();

    boolean allows(String verb, List<KubeObject> bindings);

    boolean isVisible(Map<String, String> labels);

    /** A type of the export itself: all objects and verbs, in every workspace that binds it. */
    record Own(ResourceDefinition definition) implements Offered {
      @Override
      public boolean allows(String verb, List<KubeObject> bindings) {
        return true;
      }

      @Override
      public boolean isVisible(Map<String, String> labels) {
        return true;
      }
    }

    /** A claimed type: the objects that consumers grant. */
    record Claimed(ResourceDefinition definition, PermissionClaim claim, String labelKey)
        implements Offered {
      @Override
      public boolean allows(String verb, List<KubeObject> bindings) {
        return ExportScope.granted(claim, verb, bindings);
      }

      @Override
      public boolean isVisible(Map<String, String> labels) {
        return ClaimLabels.value(claim.resource()).equals(labels.get(labelKey));
      }
    }

    /** The consumers' APIBindings to this export, read-only. */
    record Bindings(ResourceDefinition definition, String labelKey) implements Offered {
      @Override
      public boolean allows(String verb, List<KubeObject> bindings) {
        return verb.equals("get") || verb.equals("list") || verb.equals("watch");
      }

      @Override
      public boolean isVisible(Map<String, String> labels) {
        return labels.containsKey(labelKey);
      }
    }
  }

  private final ExportScopeParts parts;
  private final LogicalCluster provider;
  private final KubeObject export;
  private final String labelKey;
  private final Map<ResourceType, Optional<Offered>> found = new HashMap<>();

  ApiDefinitions(ExportScopeParts parts, LogicalCluster provider, KubeObject export) {
    this.parts = parts;
    this.provider = provider;
    this.export = export;
    this.labelKey = KcpNames.CLAIMED_PREFIX + KcpHashes.export(provider, export.name());
  }

  synchronized Optional<Offered> find(ResourceType type) {
    return found.computeIfAbsent(type, this::look);
  }

  private Optional<Offered> look(ResourceType type) {
    for (ResourceDefinition definition : own()) {
      if (definition.type().equals(type)) {
        return Optional.of(new Offered.Own(definition));
      }
    }
    for (PermissionClaim claim : PermissionClaim.ofExport(export)) {
      ClaimedResource claimed = claim.resource();
      if (claimed.group().equals(type.group()) && claimed.resource().equals(type.resource())) {
        Optional<ResourceDefinition> definition =
            claimed(claimed).stream().filter(d -> d.type().equals(type)).findFirst();
        if (definition.isPresent()) {
          return Optional.of(new Offered.Claimed(definition.get(), claim, labelKey));
        }
      }
    }
    return parts
        .system()
        .find(type)
        .filter(definition -> definition.resourceKey().equals(KcpResources.BINDINGS))
        .map(definition -> new Offered.Bindings(definition, labelKey));
  }

  private List<ResourceDefinition> own() {
    String identity = export.text("status", "identityHash");
    if (identity.isEmpty()) {
      return List.of();
    }
    return definitions(provider, export, identity);
  }

  private List<ResourceDefinition> definitions(
      LogicalCluster cluster, KubeObject offering, String identity) {
    return ExportPlanner.schemaNames(offering).stream()
        .map(name -> parts.bound().bound(cluster, name, identity))
        .flatMap(Optional::stream)
        .flatMap(bound -> bound.definitions().stream())
        .toList();
  }

  private List<ResourceDefinition> claimed(ClaimedResource claimed) {
    if (claimed.identityHash().isEmpty()) {
      return parts.catalog().all(KcpResources.ROOT).stream()
          .filter(definition -> matches(claimed, definition))
          .filter(definition -> definition.resourceKey().identity().isEmpty())
          .filter(this::isServedEverywhere)
          // Virtual workspaces render all types as custom resources.
          .map(definition -> definition.toBuilder().origin(Origin.CUSTOM).build())
          .toList();
    }
    return parts.exports().withIdentity(claimed.identityHash()).stream()
        .flatMap(other ->
            definitions(other.logicalCluster().orElseThrow(), other, claimed.identityHash())
                .stream())
        .filter(definition -> matches(claimed, definition))
        .toList();
  }

  /** False for types that a CustomResourceDefinition in root adds. */
  private boolean isServedEverywhere(ResourceDefinition definition) {
    return definition.origin() == Origin.BUILT_IN
        || parts.system().owns(definition.type().group(), definition.type().resource());
  }

  private static boolean matches(ClaimedResource claimed, ResourceDefinition definition) {
    return definition.type().group().equals(claimed.group())
        && definition.type().resource().equals(claimed.resource());
  }

  List<ResourceDefinition> all() {
    var all = new ArrayList<>(own());
    for (PermissionClaim claim : PermissionClaim.ofExport(export)) {
      all.addAll(claimed(claim.resource()));
    }
    parts.system().definitions().values().stream()
        .filter(definition -> definition.resourceKey().equals(KcpResources.BINDINGS))
        .filter(definition -> all.stream().noneMatch(a -> a.type().equals(definition.type())))
        .map(definition ->
            definition.toBuilder().verbs(Set.of(Verb.GET, Verb.LIST, Verb.WATCH)).build())
        .forEach(all::add);
    return all;
  }
}
