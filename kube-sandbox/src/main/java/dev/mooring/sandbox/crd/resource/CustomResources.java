package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.util.List;
import java.util.Map;

/**
 * Makes what the server serves of custom resources, whether a CustomResourceDefinition or a bound
 * API describes them. Costs a walk through the schemas; keep the result.
 */
public final class CustomResources {
  /** What Tables show of resources that list no columns. */
  public static final PrinterColumn AGE =
      column(
          Map.of(
              "name",
              "Age",
              "type",
              "date",
              "description",
              PrinterColumn.CREATED,
              "jsonPath",
              ".metadata.creationTimestamp"));

  private final WebhookCaller caller;

  /**
   * @param caller of the webhooks that convert
   */
  public CustomResources(WebhookCaller caller) {
    this.caller = caller;
  }

  /** One definition for each served version, in the order of the versions. */
  public List<ResourceDefinition> define(CustomResource resource) {
    return resource.versions().stream()
        .filter(version -> version.serving() == CustomVersion.Serving.SERVED)
        .map(version -> define(resource, version))
        .toList();
  }

  /**
   * As {@link #define(CustomResource)}.
   *
   * @param crd shaped as a CustomResourceDefinition; need not be stored
   * @param identity of the resource key; empty for a local resource
   */
  public List<ResourceDefinition> define(KubeObject crd, String identity) {
    CustomResource local = CrdReader.read(crd);
    ResourceKey resourceKey = local.resourceKey();
    return define(local.in(new ResourceKey(resourceKey.group(), resourceKey.resource(), identity)));
  }

  private ResourceDefinition define(CustomResource resource, CustomVersion version) {
    var type = new ResourceType(resource.group(), version.name(), resource.names().plural());
    CompiledSchema schema = CompiledSchema.of(version.schema());
    var strategy = new CustomResourceStrategy(resource, version, type, schema);
    ResourceDefinition.Builder builder =
        ResourceDefinition.define(type, resource.names(), resource.scope())
            .origin(ResourceDefinition.Origin.CUSTOM)
            .resourceKey(resource.resourceKey())
            .decoder(strategy)
            .strategy(strategy)
            .converter(
                switch (resource.stored()) {
                  case AS_SERVED -> VersionConverter.Identity.SAME;
                  case OTHERWISE -> converter(resource, version, schema);
                })
            .fields(version.selectableFields())
            .columns(
                version.columns().isEmpty()
                    ? List.of(AGE)
                    : version.columns().stream()
                        .takeWhile(
                            column -> JsonPath.parsable(Trees.textOrEmpty(column.get("jsonPath"))))
                        .map(CustomResources::column)
                        .toList())
            .schema(version.schema());
    if (version.status() == CustomVersion.StatusPart.SUBRESOURCE) {
      builder.subresource(
          "status", new Subresource.Part(new CustomStatusStrategy(strategy, schema)));
    }
    version.scale().ifPresent(scale -> builder.subresource("scale", scale));
    return builder.build();
  }

  private VersionConverter converter(
      CustomResource resource, CustomVersion version, CompiledSchema schema) {
    String served = resource.apiVersion(version.name());
    String stored = resource.apiVersion(resource.storageVersion());
    CompiledSchema storage = storageSchema(resource, version, schema);
    return resource
        .conversion()
        .<VersionConverter>map(webhook ->
            new WebhookConversion(
                caller,
                webhook,
                new WebhookConversion.Version(served, schema),
                new WebhookConversion.Version(stored, storage)))
        .orElseGet(() -> new NoneConversion(served, stored, schema, storage));
  }

  private static CompiledSchema storageSchema(
      CustomResource resource, CustomVersion version, CompiledSchema schema) {
    return version.name().equals(resource.storageVersion())
        ? schema
        : resource.versions().stream()
            .filter(other -> other.name().equals(resource.storageVersion()))
            .findFirst()
            .map(stored -> CompiledSchema.of(stored.schema()))
            .orElse(schema);
  }

  private static PrinterColumn column(Map<String, Object> column) {
    String type = Trees.textOrEmpty(column.get("type"));
    JsonPath path = JsonPath.parse(Trees.textOrEmpty(column.get("jsonPath")));
    return new PrinterColumn(
        Trees.textOrEmpty(column.get("name")),
        type,
        Trees.textOrEmpty(column.get("format")),
        column.get("description") instanceof String description
            ? description
            : "Custom resource definition column (in JSONPath format): "
                + Trees.textOrEmpty(column.get("jsonPath")),
        column.get("priority") instanceof Number priority ? priority.intValue() : 0,
        object -> ColumnValue.of(type, path.find(object.tree())));
  }
}
