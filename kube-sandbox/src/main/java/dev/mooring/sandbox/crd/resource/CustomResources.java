package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.KubeVersions;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes what the server serves of custom resources, whether a CustomResourceDefinition or a bound
 * API describes them. Costs a walk through the schemas; keep the result.
 */
public final class CustomResources {
  /** What Tables show of resources that list no columns. */
  public static final PrinterColumn AGE =
      column(
          Trees.ordered(
              "name", "Age",
              "type", "date",
              "description", PrinterColumn.CREATED,
              "jsonPath", ".metadata.creationTimestamp"));

  private final WebhookCaller caller;

  /**
   * @param caller of the webhooks that convert
   */
  public CustomResources(WebhookCaller caller) {
    this.caller = caller;
  }

  /** Where the objects of a local definition are. */
  public static ResourceKey resourceKey(KubeObject crd) {
    return ResourceKey.of(crd.text("spec", "group"), crd.text("spec", "names", "plural"));
  }

  /** As {@link #define(KubeObject, String)}, for a local resource. */
  public List<ResourceDefinition> define(KubeObject crd) {
    return define(crd, "");
  }

  /**
   * One definition for each served version, in the order of the versions.
   *
   * @param crd shaped as a CustomResourceDefinition; need not be stored
   * @param identity of the resource key
   */
  public List<ResourceDefinition> define(KubeObject crd, String identity) {
    ResourceKey local = resourceKey(crd);
    var resourceKey = new ResourceKey(local.group(), local.resource(), identity);
    return versions(crd).stream()
        .filter(version -> flag(version, "served"))
        .map(version -> define(crd, version, resourceKey))
        .toList();
  }

  private static List<Map<String, Object>> versions(KubeObject crd) {
    return crd.list("spec", "versions").stream().map(Trees::mapOrEmpty).toList();
  }

  private static boolean flag(Map<String, Object> version, String field) {
    return Boolean.TRUE.equals(version.get(field));
  }

  private ResourceDefinition define(
      KubeObject crd, Map<String, Object> version, ResourceKey resourceKey) {
    ResourceNames names = names(crd.map("spec", "names"));
    ResourceType type = type(resourceKey, version);
    CompiledSchema schema = schema(version);
    Optional<Subresource.Scale> scale =
        Optional.ofNullable(Trees.at(version, "subresources", "scale"))
            .filter(Map.class::isInstance)
            .map(CustomResources::scale);
    boolean hasStatus = Trees.at(version, "subresources", "status") instanceof Map<?, ?>;
    var strategy =
        new CustomResourceStrategy(
            type,
            names.kind(),
            schema,
            deprecation(crd, version, names.kind()),
            hasStatus,
            new ScaleCheck(scale),
            crd.deleting());
    List<Map<String, Object>> columns =
        Trees.list(version, "additionalPrinterColumns").stream().map(Trees::mapOrEmpty).toList();
    ResourceDefinition.Builder builder =
        ResourceDefinition.define(
                type,
                names,
                crd.text("spec", "scope").equals("Cluster") ? Scope.CLUSTER : Scope.NAMESPACED)
            .origin(ResourceDefinition.Origin.CUSTOM)
            .resourceKey(resourceKey)
            .decoder(strategy)
            .strategy(strategy)
            .converter(converter(crd, type, schema, resourceKey))
            .fields(selectableFields(version))
            .columns(
                columns.isEmpty()
                    ? List.of(AGE)
                    : columns.stream()
                        .takeWhile(column -> JsonPath.parsable(Trees.text(column, "jsonPath")))
                        .map(CustomResources::column)
                        .toList())
            .schema(Trees.map(version, "schema", "openAPIV3Schema"));
    if (hasStatus) {
      builder.subresource("status", new Subresource.Part(strategy.ofStatus()));
    }
    scale.ifPresent(paths -> builder.subresource("scale", paths));
    return builder.build();
  }

  private static ResourceType type(ResourceKey resourceKey, Map<String, Object> version) {
    return new ResourceType(
        resourceKey.group(), Trees.text(version, "name"), resourceKey.resource());
  }

  private static CompiledSchema schema(Map<String, Object> version) {
    return CompiledSchema.of(Trees.map(version, "schema", "openAPIV3Schema"));
  }

  private static ResourceNames names(Map<String, Object> names) {
    return new ResourceNames(
        Trees.text(names, "plural"),
        Trees.text(names, "singular"),
        Trees.text(names, "kind"),
        Trees.text(names, "listKind"),
        Trees.texts(names.get("shortNames")),
        Trees.texts(names.get("categories")));
  }

  private static Subresource.Scale scale(Object scale) {
    return new Subresource.Scale(
        Trees.text(scale, "specReplicasPath"),
        Trees.text(scale, "statusReplicasPath"),
        Trees.text(scale, "labelSelectorPath"));
  }

  /** The warning that every use of the version earns, if it is deprecated. */
  private static Optional<String> deprecation(
      KubeObject crd, Map<String, Object> version, String kind) {
    if (!flag(version, "deprecated")) {
      return Optional.empty();
    }
    if (version.get("deprecationWarning") instanceof String own) {
      return Optional.of(own);
    }
    String group = crd.text("spec", "group");
    String name = Trees.text(version, "name");
    String better =
        versions(crd).stream()
            .filter(other -> flag(other, "served") && !flag(other, "deprecated"))
            .map(other -> Trees.text(other, "name"))
            .filter(other -> KubeVersions.ASCENDING.compare(other, name) > 0)
            .max(KubeVersions.ASCENDING)
            .map(successor -> "; use %s/%s %s".formatted(group, successor, kind))
            .orElse("");
    return Optional.of("%s/%s %s is deprecated%s".formatted(group, name, kind, better));
  }

  /** Which fields a selector may use, each with its path of map keys. */
  private static Map<String, List<String>> selectableFields(Map<String, Object> version) {
    var selectable = new LinkedHashMap<String, List<String>>();
    for (Object field : Trees.list(version, "selectableFields")) {
      String path = Trees.text(field, "jsonPath");
      String dotted = path.startsWith(".") ? path.substring(1) : path;
      selectable.put(dotted, List.of(dotted.split("\\.")));
    }
    return selectable;
  }

  private VersionConverter converter(
      KubeObject crd, ResourceType served, CompiledSchema schema, ResourceKey resourceKey) {
    List<Map<String, Object>> versions = versions(crd);
    if (versions.size() == 1 && crd.generation() <= 1) {
      // Objects are stored as they are served: there never was another version or schema.
      return VersionConverter.Identity.SAME;
    }
    Map<String, Object> storage =
        versions.stream().filter(version -> flag(version, "storage")).findFirst().orElse(Map.of());
    ResourceType stored = type(resourceKey, storage);
    CompiledSchema storedSchema =
        storage.isEmpty() || stored.equals(served) ? schema : schema(storage);
    return ConversionWebhook.of(crd)
        .<VersionConverter>map(webhook ->
            new WebhookConversion(
                caller,
                webhook,
                new WebhookConversion.Version(served.apiVersion(), schema),
                new WebhookConversion.Version(stored.apiVersion(), storedSchema)))
        .orElseGet(() ->
            new NoneConversion(served.apiVersion(), stored.apiVersion(), schema, storedSchema));
  }

  private static PrinterColumn column(Map<String, Object> column) {
    String type = Trees.text(column, "type");
    String jsonPath = Trees.text(column, "jsonPath");
    JsonPath path = JsonPath.parse(jsonPath);
    return new PrinterColumn(
        Trees.text(column, "name"),
        type,
        Trees.text(column, "format"),
        column.get("description") instanceof String description
            ? description
            : "Custom resource definition column (in JSONPath format): " + jsonPath,
        column.get("priority") instanceof Number priority ? priority.intValue() : 0,
        object -> ColumnValue.of(type, path.find(object.tree())));
  }
}
