package dev.mooring.sandbox.discovery;

import com.google.common.hash.Hashing;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.ApiView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** APIResourceLists: {@code /api/v1} and {@code /apis/<group>/<version>}. */
final class ResourceLists {
  /** Custom resources list their verbs in this order, all others by name. */
  private static final List<Verb> CUSTOM_ORDER =
      List.of(
          Verb.DELETE,
          Verb.DELETECOLLECTION,
          Verb.GET,
          Verb.LIST,
          Verb.PATCH,
          Verb.CREATE,
          Verb.UPDATE,
          Verb.WATCH);

  /** How many bytes of a hash tell storage versions apart, as upstream. */
  private static final int STORAGE_HASH_BYTES = 8;

  private ResourceLists() {}

  static Map<String, Object> list(
      String group, String version, List<ResourceDefinition> definitions, ApiView.VerbOrder order) {
    var list =
        Trees.orderedNonEmpty(
            "kind", "APIResourceList",
            "apiVersion", group.isEmpty() ? "" : "v1",
            "groupVersion", group.isEmpty() ? version : group + "/" + version);
    var resources = new ArrayList<Object>();
    for (ResourceDefinition definition : definitions) {
      var resource = resource(definition);
      if (order == ApiView.VerbOrder.BY_NAME) {
        resource.put("verbs", verbs(definition).stream().sorted().toList());
        if (definition.computed().isEmpty()) {
          resource.put("storageVersionHash", storageVersionHash("/", definition));
        }
      }
      resources.add(resource);
      inOrder(definition)
          .forEach(
              entry -> resources.add(subresource(definition, entry.getKey(), entry.getValue())));
    }
    list.put("resources", resources);
    return list;
  }

  /** By name; of custom resources kcp lists the status before the scale. */
  private static List<Map.Entry<String, Subresource>> inOrder(ResourceDefinition definition) {
    var parts = List.copyOf(definition.subresources().entrySet());
    return definition.origin() == ResourceDefinition.Origin.CUSTOM ? parts.reversed() : parts;
  }

  private static Map<String, Object> resource(ResourceDefinition definition) {
    var resource =
        Trees.ordered(
            "name", definition.type().resource(),
            "singularName", definition.names().singular(),
            "namespaced", definition.namespaced(),
            "kind", definition.kind(),
            "verbs", verbs(definition));
    putNames(resource, definition.names());
    if (definition.computed().isEmpty()) {
      resource.put("storageVersionHash", storageVersionHash("", definition));
    }
    return resource;
  }

  static void putNames(Map<String, Object> resource, ResourceNames names) {
    if (!names.shortNames().isEmpty()) {
      resource.put("shortNames", names.shortNames());
    }
    if (!names.categories().isEmpty()) {
      resource.put("categories", names.categories());
    }
  }

  private static Map<String, Object> subresource(
      ResourceDefinition definition, String name, Subresource part) {
    var resource =
        Trees.ordered(
            "name",
            definition.type().resource() + "/" + name,
            "singularName",
            "",
            "namespaced",
            definition.namespaced());
    ResponseKind kind = ResponseKind.of(definition, part);
    Trees.putUnlessEmpty(resource, "group", kind.group());
    Trees.putUnlessEmpty(resource, "version", kind.version());
    resource.put("kind", kind.kind());
    List<String> verbs = verbs(name, part);
    // As Go writes an empty list that was never made.
    resource.put("verbs", verbs.isEmpty() ? null : verbs);
    return resource;
  }

  static List<String> verbs(ResourceDefinition definition) {
    return switch (definition.origin()) {
      case BUILT_IN -> definition.verbs().stream().map(Verb::text).sorted().toList();
      case CUSTOM ->
          CUSTOM_ORDER.stream()
              .filter(definition.verbs()::contains)
              .filter(verb -> isOffered(definition, verb))
              .map(Verb::text)
              .toList();
    };
  }

  private static boolean isOffered(ResourceDefinition definition, Verb verb) {
    return switch (definition.strategy().offer()) {
      case ALL -> true;
      case DELETIONS -> verb != Verb.CREATE && verb != Verb.PATCH && verb != Verb.UPDATE;
    };
  }

  static List<String> verbs(String name, Subresource part) {
    return switch (part) {
      case Subresource.Action _ -> List.of("create");
      case Subresource.Scale _ -> List.of("get", "patch", "update");
      case Subresource.Part _ when name.equals("finalize") -> List.of("update");
      case Subresource.Part(var _, var verbs) when verbs.isEmpty() -> List.of();
      case Subresource.Part _ -> List.of("get", "patch", "update");
    };
  }

  /**
   * @param prefix a slash in virtual workspaces, where kcp puts the name of no logical cluster
   *     before it
   */
  private static String storageVersionHash(String prefix, ResourceDefinition definition) {
    String identity =
        prefix
            + definition.type().group()
            + "/"
            + definition.type().version()
            + "/"
            + definition.kind();
    byte[] hash = Hashing.sha256().hashString(identity, StandardCharsets.UTF_8).asBytes();
    return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, STORAGE_HASH_BYTES));
  }

  /**
   * What a subresource's requests carry; group and version are empty where they are those of the
   * resource.
   */
  record ResponseKind(String group, String version, String kind) {
    static ResponseKind of(ResourceDefinition definition, Subresource part) {
      return switch (part) {
        case Subresource.Part _ -> new ResponseKind("", "", definition.kind());
        case Subresource.Scale _ -> new ResponseKind("autoscaling", "v1", "Scale");
        case Subresource.Action(ResourceDefinition computed) ->
            new ResponseKind(computed.type().group(), computed.type().version(), computed.kind());
      };
    }
  }
}
