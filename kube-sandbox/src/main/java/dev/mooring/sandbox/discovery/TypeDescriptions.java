package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What Kubernetes and kcp say of their types and fields, for {@code kubectl explain}. The build
 * writes {@code descriptions.tsv}; types that neither file has stay as they are.
 */
final class TypeDescriptions {
  private static final String FILE = "descriptions.tsv";

  private TypeDescriptions() {}

  /** Read at first use, which a plain Kubernetes never makes. */
  private static final class Kcp {
    private static final Map<String, Object> TEXTS =
        YamlText.resource(TypeDescriptions.class, "kcp-descriptions.yaml");
    private static final Map<String, Object> SHARED = Trees.map(TEXTS, "shared");
  }

  /** Read at first use: most clients never ask. */
  private static final class Kubernetes {
    private static final Map<String, String> TEXTS = read();

    private static Map<String, String> read() {
      var texts = new HashMap<String, String>();
      try (InputStream in = TypeDescriptions.class.getResourceAsStream(FILE)) {
        if (in != null) {
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .map(line -> line.split("\t", 2))
              .forEach(line -> texts.put(line[0], line[1].replace("\\n", "\n")));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + FILE, e);
      }
      return texts;
    }
  }

  /**
   * The schema with the descriptions of its type and fields.
   *
   * @param name of the component, such as {@code io.k8s.api.core.v1.Namespace}
   */
  static Map<String, Object> described(String name, Map<String, Object> schema) {
    String[] parts = name.split("\\.");
    if (name.startsWith("io.kcp.")) {
      Map<String, Object> own = Trees.map(Kcp.TEXTS, parts[parts.length - 1]);
      return field("", schema, path -> ofKcp(own, path));
    }
    if (parts.length < 3 || !name.startsWith("io.k8s.")) {
      return schema;
    }
    String type = capitalized(parts[parts.length - 2]) + parts[parts.length - 1];
    return Stream.of(type, capitalized(parts[parts.length - 3]) + type)
        .filter(Kubernetes.TEXTS::containsKey)
        .findFirst()
        .map(
            key -> field("", schema, path -> ofKubernetes(path.isEmpty() ? key : key + "." + path)))
        .orElse(schema);
  }

  /** What Kubernetes says of a field that all types have; empty if the build wrote nothing. */
  static String ofEveryType(String field) {
    return Kubernetes.TEXTS.getOrDefault("V1Namespace." + field, "");
  }

  private static Optional<Object> ofKubernetes(String key) {
    return Optional.ofNullable(Kubernetes.TEXTS.get(key));
  }

  /** The kind's own text, otherwise what is shared by fields with these last names. */
  private static Optional<Object> ofKcp(Map<String, Object> own, String path) {
    int last = path.lastIndexOf('.');
    String two = path.substring(path.lastIndexOf('.', Math.max(last - 1, 0)) + 1);
    return Stream.of(own.get(path), Kcp.SHARED.get(two), Kcp.SHARED.get(path.substring(last + 1)))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static Map<String, Object> field(
      String path, Map<String, Object> schema, Function<String, Optional<Object>> texts) {
    var described = new LinkedHashMap<String, Object>();
    texts.apply(path).ifPresent(text -> described.put("description", text));
    described.putAll(withFields(path, schema, texts));
    return described;
  }

  private static Map<String, Object> withFields(
      String path, Map<String, Object> schema, Function<String, Optional<Object>> texts) {
    var described = new LinkedHashMap<>(schema);
    described.computeIfPresent(
        "items", (_, items) -> withFields(path, Trees.mapOrEmpty(items), texts));
    described.computeIfPresent(
        "properties",
        (_, properties) -> {
          var fields = new LinkedHashMap<>(Trees.mapOrEmpty(properties));
          fields.replaceAll((name, of) ->
              field(path.isEmpty() ? name : path + "." + name, Trees.mapOrEmpty(of), texts));
          return fields;
        });
    return described;
  }

  private static String capitalized(String word) {
    return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
