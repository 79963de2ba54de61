package dev.mooring.sandbox.discovery;

import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What Kubernetes and kcp say of their types and fields, for {@code kubectl explain}. The build
 * writes {@code descriptions.tsv}; types that it does not have stay as they are.
 */
final class TypeDescriptions {
  private static final String FILE = "descriptions.tsv";

  /** The groups of kcp, read backwards. */
  private static final String KCP = "io.kcp.";

  private TypeDescriptions() {}

  /** Read at first use: most clients never ask. */
  private static final class Loaded {
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
    if (name.startsWith(KCP)) {
      return KcpDescriptions.described(parts[parts.length - 1], schema);
    }
    if (parts.length < 3) {
      return schema;
    }
    String type = capitalized(parts[parts.length - 2]) + parts[parts.length - 1];
    Optional<String> known =
        Stream.of(type, capitalized(parts[parts.length - 3]) + type)
            .filter(key -> Loaded.TEXTS.keySet().contains(key))
            .findFirst();
    if (known.isEmpty() || !name.startsWith("io.k8s.")) {
      return schema;
    }
    var described = new LinkedHashMap<String, Object>();
    described.put("description", Loaded.TEXTS.get(known.get()));
    described.putAll(schema);
    var properties = new LinkedHashMap<>(Trees.map(schema, "properties"));
    properties.replaceAll((field, property) ->
        Optional.ofNullable(Loaded.TEXTS.get(known.get() + "." + field))
            .<Object>map(text -> {
              var with = new LinkedHashMap<String, Object>();
              with.put("description", text);
              Trees.mapOrEmpty(property).forEach(with::putIfAbsent);
              return with;
            })
            .orElse(property));
    if (!properties.isEmpty()) {
      described.put("properties", properties);
    }
    return described;
  }

  /** What Kubernetes says of a field that all types have; empty if the build wrote nothing. */
  static String ofEveryType(String field) {
    return Loaded.TEXTS.getOrDefault("V1Namespace." + field, "");
  }

  private static String capitalized(String word) {
    return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
