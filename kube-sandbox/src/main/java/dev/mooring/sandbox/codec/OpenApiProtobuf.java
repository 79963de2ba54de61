package dev.mooring.sandbox.codec;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * OpenAPI v2 documents as gnostic's protobuf messages, which Go's discovery client asks for.
 * Source: {@code openapiv2/OpenAPIv2.proto} of github.com/google/gnostic-models. Stateless.
 */
public final class OpenApiProtobuf {
  private static final String DOCUMENT = "openapi.Document";
  private static final String EXTENSION = "x-";
  private static final String EXTENSIONS = "extensions";
  private static final String ITEMS = "items";

  private OpenApiProtobuf() {}

  /** The message of a whole document. */
  public static byte[] write(Map<String, Object> document) {
    var message = new LinkedHashMap<>(document);
    message.computeIfPresent("paths", (_, paths) -> Map.of(ITEMS, paths(paths)));
    message.computeIfPresent("definitions", (_, schemas) -> schemas(schemas));
    return ProtobufWriter.message(ProtobufLayout.ofMessage(DOCUMENT), message).toByteArray();
  }

  private static Map<String, Object> paths(Object paths) {
    var items = new LinkedHashMap<>(Trees.mapOrEmpty(paths));
    items.replaceAll((_, operations) -> {
      var item = new LinkedHashMap<>(Trees.mapOrEmpty(operations));
      item.replaceAll((_, operation) -> operation(Trees.mapOrEmpty(operation)));
      return item;
    });
    return items;
  }

  private static Map<String, Object> operation(Map<String, Object> operation) {
    var message = new LinkedHashMap<>(operation);
    message.computeIfPresent(
        "parameters",
        (_, parameters) ->
            Trees.listOrEmpty(parameters).stream()
                .map(query -> Map.of("parameter", Map.of("plain", Map.of("query", query))))
                .toList());
    message.computeIfPresent(
        "responses",
        (_, responses) -> {
          var codes = new LinkedHashMap<>(Trees.mapOrEmpty(responses));
          codes.replaceAll((_, response) -> Map.of("response", response));
          return Map.of("codes", codes);
        });
    message.put(EXTENSIONS, extensions(operation));
    return message;
  }

  private static Map<String, Object> schemas(Object named) {
    var schemas = new LinkedHashMap<>(Trees.mapOrEmpty(named));
    schemas.replaceAll((_, schema) -> schema(schema));
    return Map.of(ITEMS, schemas);
  }

  private static Map<String, Object> schema(@Nullable Object schema) {
    Map<String, Object> given = Trees.mapOrEmpty(schema);
    var message = new LinkedHashMap<String, Object>();
    given.forEach((keyword, value) ->
        message.put(
            keyword,
            switch (keyword) {
              case "type" -> Map.of(ITEMS, value instanceof List<?> ? value : List.of(value));
              case "properties" -> schemas(value);
              case ITEMS -> Map.of(ITEMS, List.of(schema(value)));
              case "allOf" ->
                  Trees.listOrEmpty(value).stream().map(OpenApiProtobuf::schema).toList();
              case "additionalProperties" ->
                  value instanceof Map<?, ?>
                      ? Map.of(ProtobufLayout.SCHEMA, schema(value))
                      : Map.of(ProtobufLayout.OTHER, value);
              case "default", "example" -> any(value);
              case "enum" -> Trees.listOrEmpty(value).stream().map(OpenApiProtobuf::any).toList();
              default -> value;
            }));
    message.put(EXTENSIONS, extensions(given));
    return message;
  }

  private static Map<String, Object> extensions(Map<String, Object> given) {
    var extensions = new LinkedHashMap<String, Object>();
    given.forEach((keyword, value) -> {
      if (keyword.startsWith(EXTENSION)) {
        extensions.put(keyword, any(value));
      }
    });
    return extensions;
  }

  /** Any value, in YAML, of which JSON is a part. */
  private static Map<String, Object> any(@Nullable Object value) {
    return Map.of("yaml", KubeJson.writeText(value));
  }
}
