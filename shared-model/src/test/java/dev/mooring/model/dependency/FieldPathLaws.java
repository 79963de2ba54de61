package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The paths that the Go program takes find in every object what they find there: steps through maps
 * only, one non-empty string or nothing. Every path of two or three steps over two fields, on every
 * object that has each of these fields missing, null, a string, a number, a list, or a map of the
 * same.
 */
class FieldPathLaws {
  private static final List<String> FIELDS = List.of("a", "b_1");

  static Stream<String> paths() {
    var paths = new ArrayList<String>();
    for (String first : FIELDS) {
      for (String second : FIELDS) {
        paths.add(first + "." + second);
        FIELDS.forEach(third -> paths.add(first + "." + second + "." + third));
      }
    }
    return paths.stream().flatMap(path -> Stream.of(path, "." + path));
  }

  @ParameterizedTest
  @MethodSource("paths")
  void findWhatTheGoProgramFinds(String path) {
    var found = new FieldPath(path);

    for (Map<String, Object> tree : maps(2)) {
      assertThat(FieldPathTest.namesIn(found, KubeObject.of(tree)))
          .as("%s in %s", path, tree)
          .isEqualTo(resolved(tree, path));
    }
  }

  @ParameterizedTest
  @MethodSource("paths")
  void referToThatNameInTheDependentsNamespace(String path) {
    var field = new ReferenceField.AtPath(new FieldPath(path));

    for (Map<String, Object> tree : maps(1)) {
      KubeObject object = KubeObject.of(tree).with("team", "metadata", "namespace");
      assertThat(((References.Known) field.in(object)).all())
          .as("%s in %s", path, tree)
          .isEqualTo(
              new java.util.TreeSet<>(
                  resolved(tree, path).stream().map(n -> new Reference("team", n)).toList()));
    }
  }

  /** As its {@code fieldpath.Resolve}: "" for anything but a string at the end of maps. */
  private static List<String> resolved(Object tree, String path) {
    Object here = tree;
    for (String step : path.replaceFirst("^\\.", "").split("\\.")) {
      if (!(here instanceof Map<?, ?> map)) {
        return List.of();
      }
      here = map.get(step);
    }
    return here instanceof String name && !name.isEmpty() ? List.of(name) : List.of();
  }

  private static List<Map<String, Object>> maps(int depth) {
    var maps = new ArrayList<Map<String, Object>>();
    List<Object> values = values(depth);
    for (Object first : values) {
      for (Object second : values) {
        var map = new LinkedHashMap<String, Object>();
        put(map, FIELDS.getFirst(), first);
        put(map, FIELDS.getLast(), second);
        maps.add(map);
      }
    }
    return maps;
  }

  private static final Object MISSING = new Object();

  private static void put(Map<String, Object> map, String field, Object value) {
    if (!Objects.equals(value, MISSING)) {
      map.put(field, value);
    }
  }

  private static List<Object> values(int depth) {
    var values = new ArrayList<Object>();
    values.add(MISSING);
    values.add(null);
    values.add("net");
    values.add("");
    values.add(3L);
    values.add(List.of("net", Map.of("a", "net")));
    if (depth > 0) {
      maps(depth - 1).stream().limit(depth == 2 ? 12 : 36).forEach(values::add);
    }
    return values;
  }
}
