package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The order in which kcp's messages show the versions of an APIResourceSchema. */
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

  private SchemaOrder() {}

  static List<Map<String, Object>> versions(List<Object> versions) {
    return versions.stream().map(Trees::mapOrEmpty).map(it -> ordered(it, VERSION)).toList();
  }

  private static Map<String, Object> ordered(Map<String, Object> tree, List<String> fields) {
    var ordered = new LinkedHashMap<String, Object>();
    for (String field : fields) {
      if (tree.containsKey(field) && !"".equals(tree.get(field))) {
        ordered.put(field, tree.get(field));
      }
    }
    return ordered;
  }
}
