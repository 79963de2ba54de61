package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The APIResourceSchemas of the exports that one workspace has bound. Users who may read its
 * APIBindings may read them.
 *
 * @param providers the logical cluster that holds a schema, by the schema's name, in order
 */
record SchemaScope(
    ExportScopeParts parts, LogicalCluster consumer, SortedMap<String, LogicalCluster> providers)
    implements ApiView {
  private static final Set<Verb> READ = Set.of(Verb.GET, Verb.LIST, Verb.WATCH);
  private static final Set<String> READ_VERBS = Set.of("get", "list", "watch");

  static SchemaScope of(ExportScopeParts parts, LogicalCluster consumer) {
    var providers = new TreeMap<String, LogicalCluster>();
    for (KubeObject binding : parts.bindings().of(consumer).bindings()) {
      String provider = binding.text("status", "apiExportClusterName");
      if (binding.text("status", "phase").equals("Bound") && !provider.isEmpty()) {
        var cluster = new LogicalCluster(provider);
        parts
            .exports()
            .export(cluster, ExportReference.ofBinding(binding).name())
            .map(ExportPlanner::schemaNames)
            .orElse(List.of())
            .forEach(name -> providers.put(name, cluster));
      }
    }
    return new SchemaScope(parts, consumer, Collections.unmodifiableSortedMap(providers));
  }

  @Override
  public Optional<LogicalCluster> cluster() {
    return Optional.of(consumer);
  }

  /** A workspace without schemas serves nothing. */
  @Override
  public Optional<ResourceDefinition> find(ResourceType type) {
    return findListed(type);
  }

  @Override
  public List<ResourceDefinition> all() {
    return providers.isEmpty()
        ? List.of()
        : parts.system().definitions().values().stream()
            .filter(definition -> definition.resourceKey().equals(KcpResources.SCHEMAS))
            .map(definition -> definition.toBuilder().verbs(READ).build())
            .toList();
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    var bindings =
        new AuthorizationAttributes.Resource("apis.kcp.io", "v1alpha2", "apibindings", "", "", "");
    boolean allowed =
        READ_VERBS.contains(attributes.verb())
            && parts
                .authorizer()
                .authorize(
                    new AuthorizationAttributes(
                        attributes.user(), Optional.of(consumer), "get", bindings))
                .allowed();
    return allowed ? LifecycleScopeParts.ALLOWED : LifecycleScopeParts.DENIED;
  }

  @Override
  public VerbOrder verbOrder() {
    return VerbOrder.BY_NAME;
  }

  @Override
  public Optional<List<StoredObject>> objects(ResourceDefinition definition) {
    return Optional.of(
        providers.entrySet().stream()
            .flatMap(schema ->
                parts
                    .exports()
                    .objects()
                    .get(KcpResources.SCHEMAS, schema.getValue(), schema.getKey())
                    .stream())
            .toList());
  }
}
