package dev.mooring.sandbox.crd;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.FixedCatalog;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * CustomResourceDefinitions and all that they bring about: their own resource, the resources that
 * they define, and the controller that gives them names and an end. Thread-safe.
 */
public final class CustomResourceDefinitions {
  private final ResourceCatalog own;
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
    own = new Own(definition(reservedGroups, objects::now));
    defined = new CrdCatalog(store, resources);
    reconciler = new CrdReconciler(store, defined, elsewhere, objects);
  }

  private static final String[] VERSIONS = {"spec", "versions"};

  /**
   * How an API server reads and checks them.
   *
   * @param reservedGroups endings of groups in which users cannot define resources
   */
  public static ResourceDefinition.Builder definition(
      Set<String> reservedGroups, Supplier<String> now) {
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
        .schema(schema);
  }

  private static PrinterColumn column(
      String name, String type, String format, Function<KubeObject, Object> cell) {
    return new PrinterColumn(name, type, format, "", 0, cell);
  }

  private static final class Own extends FixedCatalog {
    Own(ResourceDefinition.Builder definition) {
      add(definition);
    }
  }

  /** Their own resource alone. */
  public ResourceCatalog own() {
    return own;
  }

  /** The resources that they define. */
  public ResourceCatalog defined() {
    return defined;
  }

  /** Starts the controller; closing it stops it. */
  public Controller<ObjectKey> start() {
    return Controller.start(
        "customresourcedefinitions",
        store,
        List.of(EventSource.itself(CrdCatalog.DEFINITIONS)),
        reconciler);
  }
}
