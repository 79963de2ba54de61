package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.StoredObject;
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
  /** A type of the virtual workspace, and which of its objects are visible. */
  sealed interface Offered {
    ResourceDefinition definition();

    boolean isVisible(StoredObject object);

    /** A type of the export itself: all objects, in every workspace that binds it. */
    record Own(ResourceDefinition definition) implements Offered {
      @Override
      public boolean isVisible(StoredObject object) {
        return true;
      }
    }

    /** A claimed type: the objects that consumers grant. */
    record Claimed(ResourceDefinition definition, PermissionClaim claim, String labelKey)
        implements Offered {
      @Override
      public boolean isVisible(StoredObject object) {
        String label = object.labels().get(labelKey);
        boolean reflexive = definition.resourceKey().equals(KcpResources.BINDINGS);
        return ClaimLabels.value(claim.resource()).equals(label)
            || reflexive && KcpHashes.REFLEXIVE_CLAIM.equals(label);
      }
    }

    /** The consumers' APIBindings to this export, read-only. */
    record Bindings(ResourceDefinition definition, String labelKey) implements Offered {
      @Override
      public boolean isVisible(StoredObject object) {
        return object.labels().containsKey(labelKey);
      }
    }
  }

  private static final Set<String> EVENT_GROUPS = Set.of("", "events.k8s.io");

  /** What of kcp's own group of APIs can be claimed. */
  private static final Set<String> CLAIMABLE =
      Set.of("apibindings", "apiexports", "apiresourceschemas");

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
    Optional<Offered> claimed =
        claim(type.group(), type.resource())
            .flatMap(claim ->
                claimed(claim.resource()).stream()
                    .filter(definition -> definition.type().equals(type))
                    .findFirst()
                    .map(definition -> new Offered.Claimed(definition, claim, labelKey)));
    if (claimed.isPresent()) {
      return claimed;
    }
    return parts
        .system()
        .find(type)
        .filter(definition -> definition.resourceKey().equals(KcpResources.BINDINGS))
        .map(definition -> new Offered.Bindings(definition, labelKey));
  }

  /** The export's claim to a type; events of both groups are the same. */
  Optional<PermissionClaim> claim(String group, String resource) {
    return PermissionClaim.ofExport(export).stream()
        .filter(claim -> names(claim.resource(), group, resource))
        .findFirst();
  }

  private List<ResourceDefinition> own() {
    String identity = export.text("status", "identityHash");
    if (identity.isEmpty()) {
      return List.of();
    }
    return definitions(export, identity);
  }

  private List<ResourceDefinition> definitions(KubeObject offering, String identity) {
    return parts.bound().offeredBy(offering, identity).stream()
        .map(ApiDefinitions::withoutAge)
        .toList();
  }

  /** Virtual workspaces add no column to Tables that lists none itself. */
  private static ResourceDefinition withoutAge(ResourceDefinition definition) {
    return definition.columns().equals(List.of(CustomResources.AGE))
        ? definition.toBuilder().columns(List.of()).build()
        : definition;
  }

  private List<ResourceDefinition> claimed(ClaimedResource claimed) {
    if (claimed.identityHash().isEmpty()) {
      return parts.catalog().all(KcpResources.ROOT).stream()
          .filter(definition -> matches(claimed, definition))
          .filter(definition ->
              !claimed.group().equals(KcpResources.BINDINGS.group())
                  || CLAIMABLE.contains(claimed.resource()))
          .filter(definition -> definition.resourceKey().identity().isEmpty())
          .filter(this::isServedEverywhere)
          .map(ApiDefinitions::asCustom)
          .toList();
    }
    return parts.exports().withIdentity(claimed.identityHash()).stream()
        .flatMap(other -> {
          LogicalCluster owner = other.logicalCluster().orElseThrow();
          // kcp's own types are stored once, without an identity.
          return owner.equals(KcpResources.ROOT)
                  && parts.system().owns(claimed.group(), claimed.resource())
              ? parts.system().definitions().values().stream()
              : definitions(other, claimed.identityHash()).stream();
        })
        .filter(definition -> matches(claimed, definition))
        .toList();
  }

  /**
   * Virtual workspaces render all types as custom resources: without short names, and with a status
   * as the only part.
   */
  private static ResourceDefinition asCustom(ResourceDefinition definition) {
    if (definition.origin() == Origin.CUSTOM) {
      return definition;
    }
    var names = ResourceNames.of(definition.type().resource(), definition.kind());
    var custom =
        ResourceDefinition.define(definition.type(), names, definition.scope())
            .origin(Origin.CUSTOM)
            .resourceKey(definition.resourceKey())
            .converter(definition.converter())
            .decoder(definition.decoder())
            .strategy(definition.strategy())
            .fields(definition.fields())
            .schema(definition.schema());
    definition
        .computed()
        .ifPresent(computed -> custom.computed(computed).verbs(ResourceDefinition.ALL_VERBS));
    Subresource status = definition.subresources().get("status");
    return status == null ? custom.build() : custom.subresource("status", status).build();
  }

  /** False for types that a CustomResourceDefinition in root adds. */
  private boolean isServedEverywhere(ResourceDefinition definition) {
    return definition.origin() == Origin.BUILT_IN
        || parts.system().owns(definition.type().group(), definition.type().resource());
  }

  private static boolean matches(ClaimedResource claimed, ResourceDefinition definition) {
    return names(claimed, definition.type().group(), definition.type().resource());
  }

  private static boolean names(ClaimedResource claimed, String group, String resource) {
    return claimed.resource().equals(resource)
        && (claimed.group().equals(group)
            || resource.equals("events")
                && EVENT_GROUPS.contains(group)
                && EVENT_GROUPS.contains(claimed.group()));
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
