package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a request for objects is about, taken from method and path alone.
 *
 * @param verb a subresource's POST is a create, as RBAC has it
 * @param namespace empty if the path has none
 * @param name empty if the path has none
 * @param subresource empty if the path has none
 */
public record RequestInfo(
    Verb verb, ResourceType type, String namespace, String name, String subresource) {
  private static final Set<String> NAMESPACE_PARTS = Set.of("status", "finalize");

  /**
   * As Kubernetes' {@code RequestInfoFactory} reads method and path. Empty for a path that is no
   * object and no collection, such as discovery.
   *
   * @param segments behind the prefix of the view
   * @param watching whether the query asks for a watch
   */
  public static Optional<RequestInfo> parse(
      String method, List<String> segments, boolean watching) {
    int start;
    String group;
    String version;
    if (segments.size() >= 3 && segments.get(0).equals("api")) {
      group = "";
      version = segments.get(1);
      start = 2;
    } else if (segments.size() >= 4 && segments.get(0).equals("apis")) {
      group = segments.get(1);
      version = segments.get(2);
      start = 3;
    } else {
      return Optional.empty();
    }
    List<String> rest = segments.subList(start, segments.size());
    boolean watchPath = false;
    if (rest.getFirst().equals("watch") && rest.size() > 1) {
      watchPath = true;
      rest = rest.subList(1, rest.size());
    }
    String namespace = "";
    if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
      namespace = rest.get(1);
      boolean insideNamespace = rest.size() > 2 && !NAMESPACE_PARTS.contains(rest.get(2));
      if (insideNamespace) {
        rest = rest.subList(2, rest.size());
      }
    }
    String resource = rest.getFirst();
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "";
    return Optional.of(
        new RequestInfo(
            // The path of one object is watched below /watch alone, there by every method.
            watchPath ? Verb.WATCH : verb(method, name, watching && name.isEmpty()),
            new ResourceType(group, version, resource),
            namespace,
            name,
            subresource));
  }

  private static Verb verb(String method, String name, boolean watch) {
    return switch (method) {
      case "POST" -> Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> name.isEmpty() ? Verb.DELETECOLLECTION : Verb.DELETE;
      default -> watch ? Verb.WATCH : name.isEmpty() ? Verb.LIST : Verb.GET;
    };
  }

  /**
   * What has to be allowed.
   *
   * @param object its name; empty for all
   */
  public AuthorizationAttributes.Resource target(String object) {
    return new AuthorizationAttributes.Resource(
        type.group(), type.version(), type.resource(), subresource, namespace, object);
  }
}
