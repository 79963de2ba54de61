package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** How kcp's messages show an APIResourceSchema: in the order of its fields. */
final class SchemaOrder {
  private static final List<String> VERSION =
      List.of(
          "name",
          "served",
          "storage",
          "deprecated",
          "deprecationWarning",
          "schema",
          "subresources",
          "additionalPrinterColumns");

  private static final Set<String> REQUIRED = Set.of("plural", "kind");

  private static final List<String> NAMES =
      List.of("plural", "singular", "shortNames", "kind", "listKind", "categories");

  private SchemaOrder() {}

  /** All of {@code spec}; what is required is shown even if it is empty. */
  static String spec(KubeObject schema) {
    Map<String, Object> names = new LinkedHashMap<>(Map.of("plural", "", "kind", ""));
    names.putAll(schema.map("spec", "names"));
    String versions =
        versions(schema.list("spec", "versions")).stream()
            .map(GoText::ordered)
            .collect(Collectors.joining(","));
    var shown = new StringBuilder("{\"group\":" + GoText.json(schema.text("spec", "group")));
    shown.append(",\"names\":").append(GoText.ordered(ordered(names, NAMES, REQUIRED)));
    shown.append(",\"scope\":").append(GoText.json(schema.text("spec", "scope")));
    shown.append(",\"versions\":").append(versions.isEmpty() ? "null" : "[" + versions + "]");
    for (String field : List.of("nameValidation", "conversion")) {
      if (schema.at("spec", field) != null) {
        shown.append(",\"" + field + "\":").append(GoText.json(schema.at("spec", field)));
      }
    }
    return shown.append('}').toString();
  }

  static List<Map<String, Object>> versions(List<Object> versions) {
    return versions.stream().map(Trees::mapOrEmpty).map(SchemaOrder::version).toList();
  }

  private static Map<String, Object> version(Map<String, Object> version) {
    var complete = new LinkedHashMap<>(version);
    complete.putIfAbsent("subresources", Map.of());
    return ordered(complete, VERSION, Set.of("deprecationWarning"));
  }

  private static Map<String, Object> ordered(
      Map<String, Object> tree, List<String> fields, Set<String> required) {
    var ordered = new LinkedHashMap<String, Object>();
    for (String field : fields) {
      if (tree.containsKey(field) && (required.contains(field) || !"".equals(tree.get(field)))) {
        ordered.put(field, tree.get(field));
      }
    }
    return ordered;
  }
}
