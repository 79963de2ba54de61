package dev.mooring.sandbox.crd;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.crd.definition.CrdStrategy;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * CustomResourceDefinitions and all that they bring about: their own resource, the resources that
 * they define, and the controller that gives them names and an end. Thread-safe.
 */
public final class CustomResourceDefinitions implements ResourceCatalog {
  private final ResourceDefinition own;
  private final CrdCatalog defined;
  private final ResourceStore store;
  private final CrdReconciler reconciler;

  /**
   * @param elsewhere resources whose names are taken though no CustomResourceDefinition has them,
   *     such as those of bound APIs
   * @param reservedGroups endings of groups in which users cannot define resources
   */
  public CustomResourceDefinitions(
      ResourceStore store,
      CustomResources resources,
      ResourceCatalog elsewhere,
      Set<String> reservedGroups,
      LoopbackClient objects) {
    this.store = store;
    own = definition(reservedGroups, objects::now);
    defined = new CrdCatalog(store, resources);
    reconciler = new CrdReconciler(store, defined, elsewhere, objects);
  }

  private static final String[] VERSIONS = {"spec", "versions"};

  /**
   * How an API server reads and checks them.
   *
   * @param reservedGroups endings of groups in which users cannot define resources
   */
  public static ResourceDefinition definition(Set<String> reservedGroups, Supplier<String> now) {
    var type =
        new ResourceType(CrdCatalog.DEFINITIONS.group(), "v1", CrdCatalog.DEFINITIONS.resource());
    var names =
        new ResourceNames(
            type.resource(),
            "customresourcedefinition",
            "CustomResourceDefinition",
            "CustomResourceDefinitionList",
            List.of("crd", "crds"),
            List.of("api-extensions"));
    Map<String, Object> schema = GoTypes.loadDefinitions().schema(names.kind());
    return ResourceDefinition.define(type, names, Scope.CLUSTER)
        .decoder((body, context) -> {
          KubeObject decoded = TypedDecoder.decode(body, schema, context);
          // A definition without versions is refused, and shows them as they were sent.
          return List.of().equals(body.at(VERSIONS)) ? decoded.with(List.of(), VERSIONS) : decoded;
        })
        .strategy(new CrdStrategy(type, reservedGroups, now))
        .subresource("status", new Subresource.Part(new CrdStrategy.Status()))
        .columns(
            List.of(
                column("Name", "string", "name", object -> object.name()),
                column(
                    "Created At",
                    "date",
                    "",
                    object -> object.text("metadata", "creationTimestamp"))))
        .schema(schema)
        .build();
  }

  private static PrinterColumn column(
      String name, String type, String format, Function<KubeObject, Object> cell) {
    return new PrinterColumn(name, type, format, "", 0, cell);
  }

  /** Their own resource alone. */
  public ResourceCatalog own() {
    return new ResourceCatalog() {
      @Override
      public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
        return Optional.of(own).filter(definition -> definition.type().equals(type));
      }

      @Override
      public List<ResourceDefinition> all(LogicalCluster cluster) {
        return List.of(own);
      }
    };
  }

  /** Starts the controller; closing it stops it. */
  public Controller<ObjectKey> start() {
    return Controller.start(
        "customresourcedefinitions",
        store,
        List.of(EventSource.itself(CrdCatalog.DEFINITIONS)),
        reconciler);
  }

  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    return type.equals(own.type()) ? Optional.of(own) : defined.find(cluster, type);
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    var all = new ArrayList<ResourceDefinition>();
    all.add(own);
    all.addAll(defined.all(cluster));
    return all;
  }

  @Override
  public List<ResourceDefinition> versions(LogicalCluster cluster, String qualified) {
    return qualified.equals(own.type().qualified())
        ? List.of(own)
        : defined.versions(cluster, qualified);
  }
}
