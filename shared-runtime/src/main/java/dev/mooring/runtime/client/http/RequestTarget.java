package dev.mooring.runtime.client.http;

import dev.mooring.model.identity.ResourceType;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request is about: the URL, and the object or collection that a 404 has to be compared
 * with.
 *
 * @param path below the cluster's URL, percent-encoded, without a leading slash
 * @param type null for a document that is not an object
 * @param name empty for a collection
 * @param subresource empty for the object or the collection itself
 */
record RequestTarget(
    String path, @Nullable ResourceType type, String namespace, String name, String subresource) {

  /** The objects of a type; an empty namespace means all of them, or a cluster-scoped type. */
  static RequestTarget collection(ResourceType type, String namespace) {
    String scope = namespace.isEmpty() ? "" : "namespaces/" + segment(namespace) + "/";
    return new RequestTarget(
        type.apiPath() + "/" + scope + type.resource(), type, namespace, "", "");
  }

  static RequestTarget object(ResourceType type, String namespace, String name) {
    return new RequestTarget(
        collection(type, namespace).path() + "/" + segment(name), type, namespace, name, "");
  }

  static RequestTarget document(String path) {
    if (path.startsWith("/")) {
      throw new IllegalArgumentException("a document's path has no leading slash: " + path);
    }
    return new RequestTarget(path, null, "", "", "");
  }

  RequestTarget status() {
    return new RequestTarget(path + "/status", type, namespace, name, "status");
  }

  /** The path without names: {@code apis/example.com/v1/namespaces/{namespace}/vpcs/{name}}. */
  String template() {
    return type == null
        ? path
        : type.apiPath()
            + (namespace.isEmpty() ? "/" : "/namespaces/{namespace}/")
            + type.resource()
            + (name.isEmpty() ? "" : "/{name}")
            + (subresource.isEmpty() ? "" : "/" + subresource);
  }

  URI below(URI base, Query query) {
    return URI.create(base + "/" + path + query.text());
  }

  /** Names come from other people's objects: none may leave its place in the path. */
  private static String segment(String name) {
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("cannot stand in a request's path: \"" + name + "\"");
    }
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20").replace("%3A", ":");
  }

  /** Query parameters in the order they were added; empty values are left out. */
  static final class Query {
    private final List<String> parameters = new ArrayList<>();

    Query add(String name, String value) {
      if (!value.isEmpty()) {
        parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
      }
      return this;
    }

    String text() {
      return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }
  }
}
