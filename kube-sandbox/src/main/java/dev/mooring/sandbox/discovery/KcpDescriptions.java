package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the sandbox says of kcp's own types and their fields, for {@code kubectl explain}. Read at
 * first use: most clients never ask.
 */
final class KcpDescriptions {
  private static final Map<String, Object> FILE =
      YamlText.resource(KcpDescriptions.class, "kcp-descriptions.yaml");
  private static final Map<String, Object> SHARED = Trees.mapOrEmpty(FILE.get("shared"));

  private KcpDescriptions() {}

  /**
   * The schema with the descriptions of its type and fields.
   *
   * @param kind such as {@code Workspace}
   */
  static Map<String, Object> described(String kind, Map<String, Object> schema) {
    return field(Trees.mapOrEmpty(FILE.get(kind)), "", schema);
  }

  private static Map<String, Object> field(
      Map<String, Object> texts, String path, Map<String, Object> schema) {
    var described = new LinkedHashMap<String, Object>();
    text(texts, path).ifPresent(text -> described.put("description", text));
    described.putAll(withFields(texts, path, schema));
    return described;
  }

  private static Map<String, Object> withFields(
      Map<String, Object> texts, String path, Map<String, Object> schema) {
    var described = new LinkedHashMap<>(schema);
    described.computeIfPresent(
        "items", (_, items) -> withFields(texts, path, Trees.mapOrEmpty(items)));
    described.computeIfPresent(
        "properties",
        (_, properties) -> {
          var fields = new LinkedHashMap<>(Trees.mapOrEmpty(properties));
          fields.replaceAll((name, of) ->
              field(texts, path.isEmpty() ? name : path + "." + name, Trees.mapOrEmpty(of)));
          return fields;
        });
    return described;
  }

  /** The kind's own text, otherwise what is shared by fields with these last names. */
  private static Optional<Object> text(Map<String, Object> texts, String path) {
    int last = path.lastIndexOf('.');
    String two = path.substring(path.lastIndexOf('.', Math.max(last - 1, 0)) + 1);
    return Stream.of(texts.get(path), SHARED.get(two), SHARED.get(path.substring(last + 1)))
        .filter(Objects::nonNull)
        .findFirst();
  }
}
