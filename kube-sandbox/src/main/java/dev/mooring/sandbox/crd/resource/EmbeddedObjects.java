package dev.mooring.sandbox.crd.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads type and metadata of objects inside objects as Go reads them: unknown fields of metadata
 * are left out (apiextensions {@code pkg/apiserver/schema/objectmeta/coerce}). One object, one use.
 *
 * @param kind of the object around them
 * @param unknown is given the paths of unknown fields
 */
record EmbeddedObjects(String kind, String version, List<String> unknown) {
  /** Throws {@link UnreadableObject}. */
  KubeObject read(KubeObject object, Structural schema) {
    return KubeObject.of(fields("", object.tree(), schema));
  }

  private @Nullable Object value(String path, @Nullable Object value, @Nullable Structural schema) {
    if (schema == null) {
      return value;
    }
    return switch (value) {
      case Map<?, ?> _ -> {
        Map<String, Object> object = Trees.mapOrEmpty(value);
        yield fields(path, schema.embedded() ? embedded(path, object) : object, schema);
      }
      case List<?> list when schema.items() != null -> {
        var items = new ArrayList<Object>(list);
        for (int index = 0; index < items.size(); index++) {
          items.set(index, value(path + "[" + index + "]", items.get(index), schema.items()));
        }
        yield items;
      }
      case null, default -> value;
    };
  }

  private Map<String, Object> fields(String path, Map<String, Object> object, Structural schema) {
    var fields = new LinkedHashMap<>(object);
    UnaryOperator<String> below = key -> path.isEmpty() ? key : path + "." + key;
    fields.replaceAll((key, value) ->
        schema.properties().containsKey(key)
            ? value(below.apply(key), value, schema.properties().get(key))
            : value(path + "[" + key + "]", value, schema.additional()));
    return fields;
  }

  private Map<String, Object> embedded(String path, Map<String, Object> object) {
    for (String field : List.of("apiVersion", "kind")) {
      if (!(object.getOrDefault(field, "") instanceof String)) {
        throw unreadable(path + "." + field + " must be a string");
      }
    }
    Object metadata = object.get("metadata");
    if (metadata == null) {
      return object;
    }
    var odd = new ArrayList<String>();
    try {
      KubeObject read =
          TypedDecoder.decodeMetadata(KubeObject.of(Map.of("metadata", metadata)), kind, odd);
      odd.forEach(field -> unknown.add(path + "." + field));
      var typed = new LinkedHashMap<>(object);
      typed.put("metadata", read.at("metadata"));
      return typed;
    } catch (UnreadableObject unreadable) {
      throw unreadable(path + "." + unreadable.why());
    }
  }

  private UnreadableObject unreadable(String why) {
    return UnreadableObject.of(kind, version, why);
  }
}
