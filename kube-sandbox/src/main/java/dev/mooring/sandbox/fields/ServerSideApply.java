package dev.mooring.sandbox.fields;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.ManagedFields.Entry;
import dev.mooring.sandbox.fields.ManagedFields.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
   * @param wanted the fields that the manager wants, and no others; fits the schema
   */
  public static ServerSideApply of(
      Map<String, Object> live, KubeObject wanted, FieldSchema schema, Writer writer, Force force) {
    List<Entry> before = ManagedFields.entries(live, schema, writer);
    FieldSet own = FieldSet.owned(FieldComparison.written(wanted.tree()), schema);
    List<Entry> others = before.stream().filter(entry -> !entry.isOf(writer, APPLY)).toList();
    FieldSet last = union(before.stream().filter(entry -> entry.isOf(writer, APPLY)).toList());
    Map<String, Object> merged = Trees.mapOrEmpty(FieldMerge.merged(live, wanted.tree(), schema));
    if (!last.isEmpty()) {
      FieldSet managed = union(others).union(FieldSet.owned(wanted.tree(), schema));
      merged = pruned(merged, last, managed, schema);
    }
    FieldComparison difference = FieldComparison.of(live, merged, schema).without(writer.reset());
    var conflicts = new ArrayList<Conflict>();
    if (force == Force.NO && !live.isEmpty()) {
      FieldSet takenOver = LastApplied.of(live, schema, writer);
      others.forEach(other ->
          paths(other.fields().intersection(difference.changed()).minus(takenOver), "")
              .forEach(path -> conflicts.add(new Conflict(title(other), path))));
    }
    return new ServerSideApply(
        ManagedFields.written(KubeObject.of(merged), entries(before, own, difference, writer)),
        conflicts);
  }

  private static FieldSet union(List<Entry> entries) {
    return entries.stream().map(Entry::fields).reduce(FieldSet.EMPTY, FieldSet::union);
  }

  /**
   * Without what the manager applied last time, and neither it nor another one owns now.
   *
   * @param last what the manager applied last time
   * @param managed what all own now
   */
  private static Map<String, Object> pruned(
      Map<String, Object> merged, FieldSet last, FieldSet managed, FieldSchema schema) {
    FieldSet all = FieldSet.owned(merged, schema).withNamedFields(schema);
    FieldSet lastNamed = last.withNamedFields(schema);
    FieldSet left = named(FieldMerge.without(merged, lastNamed, schema), schema);
    Object withOwned =
        FieldMerge.without(merged, all.minus(left.union(managed.withNamedFields(schema))), schema);
    FieldSet dropped = all.minus(named(withOwned, schema)).intersection(lastNamed);
    return Trees.mapOrEmpty(FieldMerge.without(merged, dropped, schema));
  }

  private static FieldSet named(Object tree, FieldSchema schema) {
    return FieldSet.owned(tree, schema).withNamedFields(schema);
  }

  private static List<Entry> entries(
      List<Entry> before, FieldSet own, FieldComparison difference, Writer writer) {
    boolean same = difference.changed().isEmpty() && difference.removed().isEmpty();
    var entries = new ArrayList<Entry>();
    // As Kubernetes: an apply that changes nothing leaves its time as it was, be it none.
    String time = same ? "" : writer.time();
    for (Entry entry : before) {
      if (entry.isOf(writer, APPLY)) {
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

  /** The live object with what is wanted in place of it; lists as the schema has them. */
  public static Map<String, Object> merge(
      Map<String, Object> live, Map<String, Object> wanted, FieldSchema schema) {
    return Trees.mapOrEmpty(FieldMerge.merged(live, wanted, schema));
  }

  private static String title(Entry entry) {
    var title = new StringBuilder("\"" + entry.manager() + "\"");
    if (!entry.subresource().isEmpty()) {
      title.append(" with subresource \"").append(entry.subresource()).append('"');
    }
    if (!entry.operation().equals(APPLY)) {
      title.append(" using ").append(entry.apiVersion());
    }
    return title.toString();
  }

  /** The paths below, those of one level before those of the next. */
  private static List<String> paths(FieldSet set, String here) {
    var paths = new ArrayList<String>();
    set.children()
        .forEach((step, below) -> {
          if (below.member()) {
            paths.add(here + FieldSchema.text(step));
          }
        });
    set.children()
        .forEach((step, below) -> paths.addAll(paths(below, here + FieldSchema.text(step))));
    return paths;
  }
}
