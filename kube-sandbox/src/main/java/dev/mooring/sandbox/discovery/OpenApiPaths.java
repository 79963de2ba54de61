package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The operations on a resource, with the query parameters that clients look for. */
final class OpenApiPaths {
  private static final List<Object> WRITE_PARAMETERS =
      List.of(query("dryRun"), query("fieldManager"), query("fieldValidation"));

  private OpenApiPaths() {}

  static void add(ResourceDefinition definition, Map<String, Object> paths) {
    String root = "/" + definition.type().apiPath() + "/";
    String resource = definition.type().resource();
    String collection =
        definition.namespaced() ? root + "namespaces/{namespace}/" + resource : root + resource;
    var onCollection = new LinkedHashMap<String, Object>();
    operation(definition, Verb.LIST, "get", "list", onCollection);
    operation(definition, Verb.CREATE, "post", "post", onCollection);
    operation(definition, Verb.DELETECOLLECTION, "delete", "deletecollection", onCollection);
    paths.put(collection, onCollection);
    var onObject = new LinkedHashMap<String, Object>();
    operation(definition, Verb.GET, "get", "get", onObject);
    operation(definition, Verb.UPDATE, "put", "put", onObject);
    operation(definition, Verb.PATCH, "patch", "patch", onObject);
    operation(definition, Verb.DELETE, "delete", "delete", onObject);
    paths.put(collection + "/{name}", onObject);
  }

  private static void operation(
      ResourceDefinition definition,
      Verb verb,
      String method,
      String action,
      Map<String, Object> operations) {
    if (!definition.verbs().contains(verb)) {
      return;
    }
    var operation =
        Trees.ordered(
            "description", verb.text() + " " + definition.kind(),
            "operationId",
                verb.text()
                    + definition.type().version()
                    + definition.type().group()
                    + definition.kind());
    if (List.of("post", "put", "patch").contains(method)) {
      operation.put("parameters", WRITE_PARAMETERS);
    }
    operation.put("responses", Map.of("200", Map.of("description", "OK")));
    operation.put("x-kubernetes-action", action);
    operation.put("x-kubernetes-group-version-kind", OpenApiV3.identity(definition, ""));
    operations.put(method, operation);
  }

  private static Map<String, Object> query(String name) {
    return Trees.ordered(
        "name",
        name,
        "in",
        "query",
        "schema",
        Trees.ordered("type", "string", "uniqueItems", true));
  }
}
