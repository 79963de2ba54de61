package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.kcp.api.CustomResourceFactory;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.api.decide.ApiResourceSchemaConversion;
import dev.mooring.sandbox.kcp.binding.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.bound.ClusterBindings;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.storage.ResourceKey;
import java.lang.ref.SoftReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources that APIBindings add to their clusters. A schema is compiled once for each identity
 * it is bound under, for all workspaces, and stays served when its object is deleted.
 */
public final class BoundResourceCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(BoundResourceCatalog.class);

  /** A schema under an identity. */
  private record SchemaKey(String uid, String identity, Life life) {}

  /** Whether objects can be created: not by a binding that is being deleted. */
  private enum Life {
    ACTIVE,
    TERMINATING;

    static Life of(KubeObject binding) {
      return binding.deleting() ? TERMINATING : ACTIVE;
    }
  }

  /** A compiled schema and its definitions, one for each version. */
  private record Bound(KubeObject schema, List<ResourceDefinition> definitions) {}

  private final BindingIndex bindings;
  private final CustomResourceFactory factory;
  private final ExportResolver exports;
  private final KcpApis system;
  private final Map<SchemaKey, SoftReference<Bound>> compiled = new ConcurrentHashMap<>();

  private final Map<LogicalCluster, Served> served = new ConcurrentHashMap<>();

  /**
   * What a cluster serves.
   *
   * @param basis the bindings from which it was computed
   * @param held keeps the compiled schemas in memory
   */
  private record Served(
      ClusterBindings basis, List<Bound> held, Map<ResourceType, ResourceDefinition> definitions) {}

  public BoundResourceCatalog(
      BindingIndex bindings,
      CustomResourceFactory factory,
      ExportResolver exports,
      KcpApis system) {
    this.bindings = bindings;
    this.factory = factory;
    this.exports = exports;
    this.system = system;
  }

  /**
   * What the APIBindings of a cluster add to it; computed when one of them has changed. As in kcp,
   * open watches stay open: on the identity and by the schema with which they began. An object that
   * another schema wrote is pruned and defaulted by the schema that shows it.
   */
  public Map<ResourceType, ResourceDefinition> in(LogicalCluster cluster) {
    ClusterBindings now = bindings.of(cluster);
    Served known = served.get(cluster);
    if (now.bindings().isEmpty() && known == null) {
      return Map.of();
    }
    if (known == null || known.basis() != now) {
      // Read again: another thread may have computed from newer bindings.
      known = served.compute(cluster, (_, before) -> served(before, bindings.of(cluster)));
    }
    return known == null ? Map.of() : known.definitions();
  }

  /** Whether an APIBinding of the cluster has bound the resource, kcp's own included. */
  public boolean binds(LogicalCluster cluster, ResourceType type) {
    return bindings.of(cluster).exportOf(type.group(), type.resource()).isPresent();
  }

  private @Nullable Served served(@Nullable Served before, ClusterBindings now) {
    if (now.bindings().isEmpty() || before != null && before.basis() == now) {
      return now.bindings().isEmpty() ? null : before;
    }
    var definitions = new HashMap<ResourceType, ResourceDefinition>();
    List<Bound> held =
        now.bindings().stream().flatMap(binding -> boundIn(binding).stream()).toList();
    held.stream()
        .flatMap(bound -> bound.definitions().stream())
        .forEach(definition -> definitions.putIfAbsent(definition.type(), definition));
    if (before != null) {
      before.definitions().forEach((type, was) -> markReplaced(was, definitions.get(type)));
    }
    return new Served(now, held, Map.copyOf(definitions));
  }

  private static void markReplaced(ResourceDefinition was, @Nullable ResourceDefinition is) {
    if (is != null && is != was && is.resourceKey().equals(was.resourceKey())) {
      startPruning(was);
      startPruning(is);
    }
  }

  private static void startPruning(ResourceDefinition definition) {
    if (definition.converter() instanceof BoundConverter converter) {
      converter.startPruning();
    }
  }

  /** The schemas that a binding has bound, kcp's own included. */
  List<KubeObject> schemasOf(KubeObject binding) {
    return BindingPlanner.boundResources(binding).values().stream()
        .map(resource -> schemaOf(binding, resource))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The resources that a binding has bound, without kcp's own. */
  List<ResourceKey> resourceKeysOf(KubeObject binding) {
    return BindingPlanner.boundResources(binding).values().stream()
        .filter(resource -> !isSystem(resource))
        .map(resource ->
            new ResourceKey(
                Trees.text(resource, "group"),
                Trees.text(resource, "resource"),
                identityOf(resource)))
        .toList();
  }

  /**
   * What an export offers under an identity; without what cannot be served.
   *
   * @param export of any shard
   */
  public List<ResourceDefinition> offeredBy(KubeObject export, String identity) {
    LogicalCluster provider = export.logicalCluster().orElseThrow();
    return export.list("spec", "resources").stream()
        .flatMap(resource ->
            exports.schema(provider, Trees.text(resource, "schema")).stream()
                .flatMap(schema -> compiled(schema, identity, Life.ACTIVE).stream()))
        .flatMap(bound -> bound.definitions().stream())
        .toList();
  }

  private List<Bound> boundIn(KubeObject binding) {
    return BindingPlanner.boundResources(binding).values().stream()
        .filter(resource -> !isSystem(resource))
        .map(resource ->
            schemaOf(binding, resource)
                .flatMap(schema -> compiled(schema, identityOf(resource), Life.of(binding))))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<KubeObject> schemaOf(KubeObject binding, Map<String, Object> resource) {
    String uid = Trees.text(resource, "schema", "UID");
    String name = Trees.text(resource, "schema", "name");
    String provider = binding.text("status", "apiExportClusterName");
    Optional<KubeObject> cached =
        Optional.ofNullable(
                compiled.get(new SchemaKey(uid, identityOf(resource), Life.of(binding))))
            .or(() ->
                Optional.ofNullable(
                    compiled.get(new SchemaKey(uid, identityOf(resource), Life.ACTIVE))))
            .map(SoftReference::get)
            .map(Bound::schema);
    return cached.isPresent() || provider.isEmpty()
        ? cached
        : exports.schema(new LogicalCluster(provider), name);
  }

  private Optional<Bound> compiled(KubeObject schema, String identity, Life life) {
    var key = new SchemaKey(schema.uid(), identity, life);
    SoftReference<Bound> cached = compiled.get(key);
    Bound present = cached == null ? null : cached.get();
    if (present != null) {
      return Optional.of(present);
    }
    try {
      KubeObject crd = ApiResourceSchemaConversion.asCrd(schema);
      if (life == Life.TERMINATING) {
        crd = crd.with("1970-01-01T00:00:00Z", "metadata", "deletionTimestamp");
      }
      var fresh = new Bound(schema, defined(crd, identity));
      compiled.put(key, new SoftReference<>(fresh));
      return Optional.of(fresh);
    } catch (IllegalArgumentException notServable) {
      LOG.warn(
          "{} in {} cannot be served: {}",
          schema,
          schema.logicalCluster().map(Object::toString).orElse("?"),
          notServable.getMessage());
      return Optional.empty();
    }
  }

  private List<ResourceDefinition> defined(KubeObject crd, String identity) {
    return factory.define(crd, identity).stream()
        .map(definition ->
            definition.converter() == VersionConverter.Identity.SAME
                ? definition.toBuilder()
                    .converter(new BoundConverter(() -> pruning(crd, definition)))
                    .build()
                : definition)
        .toList();
  }

  /** A generation above 1 makes the factory expect objects of other schemas, and so prune. */
  private VersionConverter pruning(KubeObject crd, ResourceDefinition served) {
    return factory.define(crd.with(2L, "metadata", "generation"), "").stream()
        .filter(definition -> definition.type().equals(served.type()))
        .map(ResourceDefinition::converter)
        .findFirst()
        .orElseThrow();
  }

  private boolean isSystem(Map<String, Object> resource) {
    return system.owns(Trees.text(resource, "group"), Trees.text(resource, "resource"));
  }

  private static String identityOf(Map<String, Object> resource) {
    return Trees.text(resource, "schema", "identityHash");
  }
}
