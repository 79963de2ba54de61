package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The pages of docs/reference list the fields of Mooring's own types as their schemas have them.
 */
class FieldReferenceTest {
  /** The parts of every Kubernetes object, and what one table would repeat for each selector. */
  private static final Set<String> SKIPPED =
      Set.of("apiVersion", "kind", "metadata", "matchExpressions", "matchLabels", "conditions");

  @Test
  void listsEveryFieldOfPublishedResources() throws IOException {
    holds(
        "published-resource.md",
        "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml",
        "openAPIV3Schema");
  }

  @Test
  void listsEveryFieldOfDependencyRules() throws IOException {
    holds("dependency-rule.md", "charts/mooring/kcp/apiresourceschema.yaml", "");
  }

  private static void holds(String page, String manifest, String within) throws IOException {
    Map<String, Object> type =
        new Yaml().load(Files.readString(GeneratedTable.LAYOUT.file(manifest)));
    Map<String, Object> version = maps(map(type, "spec"), "versions").getFirst();
    Map<String, Object> schema = map(version, "schema");
    var rows = new ArrayList<>(List.of("| Field | Type | Meaning |", "|---|---|---|"));
    fields(within.isEmpty() ? schema : map(schema, within), "", rows);

    new GeneratedTable(page, "fields").mustBe(rows);
  }

  private static void fields(Map<String, Object> schema, String prefix, List<String> rows) {
    map(schema, "properties")
        .forEach((name, value) -> {
          Map<String, Object> field = asMap(value);
          if (SKIPPED.contains(name) && (prefix.isEmpty() || !name.equals("kind"))) {
            return;
          }
          // A comma in a description without quotes begins another keyword, without a value.
          assertThat(field).as(prefix + name).doesNotContainValue(null);
          boolean required = list(schema, "required").contains(name);
          rows.add(
              "| `%s%s` | %s%s | %s |"
                  .formatted(
                      prefix, name, type(field), required ? ", required" : "", meaning(field)));
          fields(field, prefix + name + ".", rows);
          fields(map(field, "items"), prefix + name + "[].", rows);
        });
  }

  private static String type(Map<String, Object> field) {
    if (!list(field, "enum").isEmpty()) {
      return list(field, "enum").stream()
          .map(value -> "`" + value + "`")
          .collect(Collectors.joining(", "));
    }
    String type = field.getOrDefault("type", "any").toString();
    return switch (type) {
      case "array" -> "list of " + map(field, "items").getOrDefault("type", "any");
      default -> type;
    };
  }

  private static String meaning(Map<String, Object> field) {
    String described = field.getOrDefault("description", "").toString();
    Object value = field.get("default");
    return GeneratedTable.cell(described + (value == null ? "" : " Default: `" + value + "`."));
  }

  private static Map<String, Object> map(Map<String, Object> parent, String key) {
    return asMap(parent.getOrDefault(key, Map.of()));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }

  private static List<?> list(Map<String, Object> parent, String key) {
    return (List<?>) parent.getOrDefault(key, List.of());
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> maps(Map<String, Object> parent, String key) {
    return (List<Map<String, Object>>) list(parent, key);
  }
}
