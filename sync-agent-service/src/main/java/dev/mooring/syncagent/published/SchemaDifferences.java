package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every difference between two schemas, whether it breaks stored objects or not; see {@link
 * SchemaChange} for those that do.
 */
public final class SchemaDifferences {
  private static final Words EXPORTED =
      new Words(
          "only in the export",
          "only on the service cluster",
          "%s is %s in the export, %s on the service cluster",
          "differs");
  private static final Words CHANGED =
      new Words("removed", "added", "%s changed from %s to %s", "changed");

  /** Longer texts, such as descriptions, would hide the other differences. */
  private static final int SHOWN_MAX = 40;

  /** Of a spec, in the order of messages. Servers add other fields, such as conversion. */
  private static final List<String> FIELDS = List.of("group", "names", "scope");

  private final Words words;
  private final List<SchemaChange> found = new ArrayList<>();

  /** What a difference is called. */
  private record Words(String onlyFirst, String onlySecond, String values, String longValues) {}

  private SchemaDifferences(Words words) {
    this.words = words;
  }

  /** As {@link #between}, of a type before and after a change. */
  public static List<SchemaChange> changes(Map<String, Object> before, Map<String, Object> after) {
    return new SchemaDifferences(CHANGED).walked(before, after);
  }

  /**
   * In the order of versions and fields, at most {@value SchemaChange#LISTED_MAX}.
   *
   * @param exported spec of the APIResourceSchema that the APIExport lists
   * @param served spec of the one that the agent would publish
   */
  public static List<SchemaChange> between(
      Map<String, Object> exported, Map<String, Object> served) {
    return new SchemaDifferences(EXPORTED).walked(exported, served);
  }

  private List<SchemaChange> walked(Map<String, Object> first, Map<String, Object> second) {
    for (String field : FIELDS) {
      walk(field, field, first.get(field), second.get(field));
    }
    named("", versions(first), versions(second));
    return found.stream().limit(SchemaChange.LISTED_MAX).toList();
  }

  private static Map<String, Object> versions(Map<String, Object> spec) {
    var versions = new LinkedHashMap<String, Object>();
    for (Object version : Trees.list(spec, "versions")) {
      versions.put(Trees.text(version, "name"), version);
    }
    return versions;
  }

  /** Versions and properties, whose keys are names. */
  private void named(String path, Map<String, Object> exported, Map<String, Object> served) {
    for (String name : keys(exported, served)) {
      String where = join(path, name);
      if (!served.containsKey(name)) {
        found.add(new SchemaChange(where, words.onlyFirst()));
      } else if (!exported.containsKey(name)) {
        found.add(new SchemaChange(where, words.onlySecond()));
      } else {
        parts(where, Trees.mapOrEmpty(exported.get(name)), Trees.mapOrEmpty(served.get(name)));
      }
    }
  }

  private void parts(String path, Map<String, Object> exported, Map<String, Object> served) {
    for (String key : keys(exported, served)) {
      Object before = exported.get(key);
      Object after = served.get(key);
      switch (key) {
        case "schema" -> parts(path, Trees.mapOrEmpty(before), Trees.mapOrEmpty(after));
        case "properties" -> named(path, Trees.mapOrEmpty(before), Trees.mapOrEmpty(after));
        case "items" -> walk(path + "[*]", key, before, after);
        case "additionalProperties" -> walk(path + ".*", key, before, after);
        case "selectableFields" -> {
          // kcp 0.32 drops them from what it exports.
          if (words == CHANGED) {
            value(path, key, before, after);
          }
        }
        default -> value(path, key, before, after);
      }
    }
  }

  private void walk(String path, String key, @Nullable Object exported, @Nullable Object served) {
    if (exported instanceof Map<?, ?> && served instanceof Map<?, ?>) {
      parts(path, Trees.mapOrEmpty(exported), Trees.mapOrEmpty(served));
    } else {
      value(path, key, exported, served);
    }
  }

  private void value(String path, String key, @Nullable Object exported, @Nullable Object served) {
    if (!Objects.equals(normal(exported), normal(served))) {
      boolean shown = isShort(exported) && isShort(served);
      found.add(
          new SchemaChange(
              path,
              shown
                  ? words.values().formatted(key, text(exported), text(served))
                  : key + " " + words.longValues()));
    }
  }

  /** Servers may leave out what says nothing. */
  private static @Nullable Object normal(@Nullable Object value) {
    boolean saysNothing =
        Boolean.FALSE.equals(value)
            || value instanceof List<?> list && list.isEmpty()
            || "".equals(value);
    return saysNothing ? null : value;
  }

  private static boolean isShort(@Nullable Object value) {
    boolean tree =
        value instanceof Map<?, ?>
            || value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance);
    return !tree && text(value).length() <= SHOWN_MAX;
  }

  private static String text(@Nullable Object value) {
    return value == null ? "not set" : value.toString();
  }

  private static TreeSet<String> keys(Map<String, Object> one, Map<String, Object> other) {
    var keys = new TreeSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys;
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + (path.contains(": ") ? "." : ": ") + name;
  }
}
