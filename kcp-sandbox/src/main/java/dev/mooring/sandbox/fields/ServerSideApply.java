package dev.mooring.sandbox.fields;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.ManagedFields.Entry;
import dev.mooring.sandbox.fields.ManagedFields.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server-side apply: what an object becomes when a manager says which fields it wants, and who
 * owns which field then. Follows {@code sigs.k8s.io/structured-merge-diff}'s {@code merge} package.
 * Pure.
 *
 * @param object merged, with the entries of all managers
 * @param conflicts fields that others own and that would change; empty if the manager may go on, or
 *     insists
 */
public record ServerSideApply(KubeObject object, List<Conflict> conflicts) {
  private static final String APPLY = "Apply";

  /** What to do about fields that others own. */
  public enum Force {
    /** Report them. */
    NO,
    /** Take them. */
    YES
  }

  /**
   * A field of another manager.
   *
   * @param manager as messages call it
   * @param path such as {@code .spec.parts[name="a"].qty}
   */
  public record Conflict(String manager, String path) {}

  public ServerSideApply {
    conflicts = List.copyOf(conflicts);
  }

  /**
   * @param live the stored object; an empty map for none
   * @param wanted the fields that the manager wants, and no others; null counts as unsaid
   */
  public static ServerSideApply of(
      Map<String, Object> live, KubeObject wanted, FieldSchema schema, Writer writer, Force force) {
    List<Entry> before =
        Trees.listOrEmpty(Trees.at(live, "metadata", "managedFields")).stream()
            .map(Entry::of)
            .toList();
    Map<String, Object> fields = FieldComparison.owned(wanted.tree());
    FieldSet own = fields.isEmpty() ? FieldSet.EMPTY : ownedFields(fields, schema);
    List<Entry> others = before.stream().filter(entry -> !entry.isOf(writer, APPLY)).toList();
    Map<String, Object> merged = Trees.mapOrEmpty(merged(live, wanted.tree(), schema));
    FieldSet changed = FieldComparison.of(live, merged, schema).changed();
    var conflicts = new ArrayList<Conflict>();
    if (force == Force.NO && !live.isEmpty()) {
      others.forEach(other ->
          paths(other.fields().intersection(changed), "")
              .forEach(path -> conflicts.add(new Conflict(title(other), path))));
    }
    FieldSet dropped =
        before.stream()
            .filter(entry -> entry.isOf(writer, APPLY))
            .map(Entry::fields)
            .reduce(FieldSet.EMPTY, FieldSet::union)
            .minus(own);
    for (Entry other : others) {
      dropped = dropped.minus(other.fields());
    }
    Map<String, Object> result = Trees.mapOrEmpty(without(merged, dropped, schema));
    FieldComparison difference = FieldComparison.of(live, result, schema);
    return new ServerSideApply(
        ManagedFields.written(KubeObject.of(result), entries(before, own, difference, writer)),
        conflicts);
  }

  private static List<Entry> entries(
      List<Entry> before, FieldSet own, FieldComparison difference, Writer writer) {
    var entries = new ArrayList<Entry>();
    String time = writer.time();
    for (Entry entry : before) {
      if (entry.isOf(writer, APPLY)) {
        boolean same =
            Objects.equals(entry.fields(), own)
                && difference.changed().isEmpty()
                && difference.removed().isEmpty();
        time = same ? entry.time() : time;
        continue;
      }
      FieldSet left =
          entry.fields().minus(difference.changed()).minusRecursively(difference.removed());
      if (!left.isEmpty()) {
        entries.add(entry.with(left, entry.time()));
      }
    }
    if (!own.isEmpty()) {
      entries.add(
          new Entry(writer.manager(), APPLY, writer.apiVersion(), time, writer.subresource(), own));
    }
    return entries;
  }

  /** The leaves of a tree, and the items of lists that are maps. */
  private static FieldSet ownedFields(Object value, FieldSchema schema) {
    var children = new TreeMap<String, FieldSet>();
    if (value instanceof Map<?, ?> map && !map.isEmpty() && !schema.atomicMap()) {
      Trees.mapOrEmpty(value)
          .forEach((key, below) -> {
            if (below != null) {
              children.put("f:" + key, ownedFields(below, schema.field(key)));
            }
          });
      return new FieldSet(false, children);
    }
    if (value instanceof List<?> list && !list.isEmpty()) {
      return switch (schema.listKind()) {
        case ATOMIC -> FieldSet.SELF;
        case SET -> {
          list.forEach(item -> children.put(schema.step(item), FieldSet.SELF));
          yield new FieldSet(false, children);
        }
        case MAP -> {
          list.forEach(item -> {
            FieldSet fields = ownedFields(item, schema.items());
            children.put(schema.step(item), new FieldSet(true, fields.children()));
          });
          yield new FieldSet(false, children);
        }
      };
    }
    return FieldSet.SELF;
  }

  private static Object merged(@Nullable Object live, Object wanted, FieldSchema schema) {
    if (wanted instanceof Map<?, ?> && live instanceof Map<?, ?> && !schema.atomicMap()) {
      var result = new LinkedHashMap<>(Trees.mapOrEmpty(live));
      Trees.mapOrEmpty(wanted)
          .forEach((key, value) -> {
            if (value != null) {
              result.put(key, merged(result.get(key), value, schema.field(key)));
            }
          });
      return result;
    }
    if (wanted instanceof Map<?, ?>) {
      var result = new LinkedHashMap<String, Object>();
      Trees.mapOrEmpty(wanted)
          .forEach((key, value) -> {
            if (value != null) {
              result.put(key, value);
            }
          });
      return result;
    }
    if (wanted instanceof List<?>
        && live instanceof List<?>
        && schema.listKind() != FieldSchema.ListKind.ATOMIC) {
      var items = FieldComparison.byStep(live, schema);
      FieldComparison.byStep(wanted, schema)
          .forEach((step, item) -> items.put(step, merged(items.get(step), item, schema.items())));
      return new ArrayList<>(items.values());
    }
    return wanted;
  }

  private static Object without(Object value, FieldSet dropped, FieldSchema schema) {
    if (dropped.children().isEmpty()) {
      return value;
    }
    if (value instanceof Map<?, ?>) {
      var left = new LinkedHashMap<String, Object>();
      Trees.mapOrEmpty(value)
          .forEach((key, below) -> {
            FieldSet set = dropped.below("f:" + key);
            if (!isRemoved(set)) {
              left.put(key, without(below, set, schema.field(key)));
            }
          });
      return left;
    }
    if (value instanceof List<?>) {
      var left = new ArrayList<Object>();
      FieldComparison.byStep(value, schema)
          .forEach((step, item) -> {
            FieldSet set = dropped.below(step);
            if (!set.member()) {
              left.add(without(item, set, schema.items()));
            }
          });
      return left;
    }
    return value;
  }

  /** A leaf that no manager owns any longer. */
  private static boolean isRemoved(FieldSet set) {
    return set.member() && set.children().isEmpty();
  }

  private static String title(Entry entry) {
    var title = new StringBuilder("\"" + entry.manager() + "\"");
    if (!entry.subresource().isEmpty()) {
      title.append(" with subresource \"").append(entry.subresource()).append('"');
    }
    if (!entry.operation().equals(APPLY)) {
      title.append(" using ").append(entry.apiVersion());
      if (!entry.time().isEmpty()) {
        title.append(" at ").append(entry.time());
      }
    }
    return title.toString();
  }

  private static List<String> paths(FieldSet set, String here) {
    var paths = new ArrayList<String>();
    if (set.member()) {
      paths.add(here);
    }
    set.children().forEach((step, below) -> paths.addAll(paths(below, here + text(step))));
    return paths;
  }

  /**
   * A step of a {@link FieldSet} as messages write it: {@code .field}, {@code [name="a"]} or {@code
   * [="item"]}.
   */
  private static String text(String step) {
    String rest = step.substring(2);
    return switch (step.charAt(0)) {
      case 'f' -> "." + rest;
      case 'v' -> "[=" + rest + "]";
      default ->
          Trees.mapOrEmpty(KubeJson.read(rest)).entrySet().stream()
              .map(key -> key.getKey() + "=" + KubeJson.writeText(key.getValue()))
              .collect(Collectors.joining(",", "[", "]"));
    };
  }
}
