package dev.mooring.sandbox.fields;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps {@code metadata.managedFields}: who last wrote which field. Pure. */
public final class ManagedFields {
  /** As Kubernetes: beyond this many managers by update, the oldest are merged into one. */
  private static final int UPDATE_MANAGERS_MAX = 10;

  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::operation)
          .thenComparing(Entry::time)
          .thenComparing(Entry::manager)
          .thenComparing(Entry::apiVersion)
          .thenComparing(Entry::subresource);

  private static final String ANCIENT = "ancient-changes";
  private static final String BEFORE_APPLY = "before-first-apply";
  private static final String UPDATE = "Update";
  private static final String APPLY = "Apply";

  private ManagedFields() {}

  /**
   * Who writes.
   *
   * @param subresource empty if none
   * @param time in RFC 3339, to the second
   * @param reset fields of the object that this way of writing does not change, such as status
   */
  public record Writer(
      String manager, String apiVersion, String subresource, String time, List<String> reset) {
    public Writer {
      reset = List.copyOf(reset);
    }
  }

  /** One entry of {@code managedFields}. */
  record Entry(
      String manager,
      String operation,
      String apiVersion,
      String time,
      String subresource,
      FieldSet fields) {
    static Entry of(@Nullable Object tree) {
      return new Entry(
          Trees.text(tree, "manager"),
          Trees.text(tree, "operation"),
          Trees.text(tree, "apiVersion"),
          Trees.text(tree, "time"),
          Trees.text(tree, "subresource"),
          FieldSet.of(Trees.at(tree, "fieldsV1")));
    }

    Entry with(FieldSet changed, String when) {
      return new Entry(manager, operation, apiVersion, when, subresource, changed);
    }

    /** An applier is the same one in every version. */
    boolean isOf(Writer writer, String kind) {
      return manager.equals(writer.manager())
          && operation.equals(kind)
          && (operation.equals(APPLY) || apiVersion.equals(writer.apiVersion()))
          && subresource.equals(writer.subresource());
    }

    Map<String, Object> toTree() {
      return Trees.orderedNonEmpty(
          "manager", manager,
          "operation", operation,
          "apiVersion", apiVersion,
          "time", time,
          "fieldsType", "FieldsV1",
          "fieldsV1", fields.toTree(),
          "subresource", subresource);
    }
  }

  /**
   * The updated object with its entries brought up to date: the writer now owns what it changed,
   * removed fields have no owner. An object that has no entries gets none until it is applied.
   *
   * @param before the stored object; for a create one without a uid, as it is before anything is
   *     set
   * @param sent the entries that the client sent, null for none: it may replace them, or remove all
   *     with an empty list or one empty entry
   */
  public static KubeObject afterUpdate(
      Map<String, Object> before,
      KubeObject updated,
      @Nullable Object sent,
      FieldSchema schema,
      Writer writer) {
    List<Entry> known = known(before, sent, writer);
    if (known.isEmpty() && !Trees.text(before, "metadata", "uid").isEmpty()) {
      return updated.without("metadata", "managedFields");
    }
    FieldComparison difference =
        FieldComparison.of(before, updated.tree(), schema).without(writer.reset());
    FieldSet changed = difference.changed();
    var entries = new ArrayList<Entry>();
    FieldSet own = FieldSet.EMPTY;
    for (Entry entry : known) {
      FieldSet left = entry.fields().minus(changed).minusRecursively(difference.removed());
      if (entry.isOf(writer, UPDATE) && !changed.isEmpty()) {
        own = left;
      } else if (!left.isEmpty()) {
        entries.add(entry.with(left, entry.time()));
      }
    }
    if (!changed.isEmpty()) {
      entries.add(entry(writer, own.union(changed)));
    }
    return written(updated, bounded(entries));
  }

  private static Entry entry(Writer writer, FieldSet fields) {
    return new Entry(
        writer.manager(), UPDATE, writer.apiVersion(), writer.time(), writer.subresource(), fields);
  }

  private static List<Entry> known(
      Map<String, Object> before, @Nullable Object sent, Writer writer) {
    if (writer.subresource().isEmpty() && sent instanceof List<?> list) {
      if (list.isEmpty() || list.equals(List.of(Map.of()))) {
        return List.of();
      }
      if (fault(Trees.listOrEmpty(list)).isEmpty()) {
        return list.stream().map(Entry::of).toList();
      }
    }
    return stored(before);
  }

  private static List<Entry> stored(Map<String, Object> object) {
    return Trees.list(object, "metadata", "managedFields").stream().map(Entry::of).toList();
  }

  /** The entries of a stored object; where there are none, one for all that it holds. */
  static List<Entry> entries(Map<String, Object> live, FieldSchema schema, Writer writer) {
    List<Entry> entries = stored(live);
    if (!entries.isEmpty() || live.isEmpty()) {
      return entries;
    }
    FieldSet all = FieldComparison.all(live, schema).withoutFields(writer.reset());
    return List.of(new Entry(BEFORE_APPLY, UPDATE, writer.apiVersion(), writer.time(), "", all));
  }

  static KubeObject written(KubeObject object, List<Entry> entries) {
    if (entries.isEmpty()) {
      return object.without("metadata", "managedFields");
    }
    return object.with(
        entries.stream().sorted(ORDER).map(Entry::toTree).toList(), "metadata", "managedFields");
  }

  /** Why Kubernetes cannot read the entries of an object; empty if it can. */
  public static String fault(List<Object> entries) {
    return entries.stream()
        .map(ManagedFields::fault)
        .filter(fault -> !fault.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String fault(@Nullable Object tree) {
    if (!List.of(UPDATE, APPLY).contains(Trees.text(tree, "operation"))) {
      return "operation must be `Apply` or `Update`";
    }
    if (Trees.text(tree, "apiVersion").isEmpty()) {
      return "apiVersion must not be empty";
    }
    return Trees.text(tree, "fieldsType").equals("FieldsV1")
            && FieldSet.isValid(Trees.at(tree, "fieldsV1"))
        ? ""
        : "fieldsV1 is invalid";
  }

  /** With the oldest managers of each version merged, until few enough are left. */
  private static List<Entry> bounded(List<Entry> entries) {
    List<Entry> updates =
        entries.stream()
            .filter(entry -> entry.operation().equals(UPDATE))
            .sorted(Comparator.comparing(Entry::time).thenComparing(Entry::manager))
            .toList();
    var left = new ArrayList<>(entries);
    var oldest = new HashMap<String, Entry>();
    int excess = updates.size() - UPDATE_MANAGERS_MAX;
    for (Entry entry : updates) {
      if (excess <= 0) {
        break;
      }
      Entry older = oldest.get(entry.apiVersion());
      Entry ancient = entry;
      if (older != null) {
        left.removeAll(List.of(older, entry));
        ancient =
            new Entry(
                ANCIENT,
                UPDATE,
                entry.apiVersion(),
                entry.time(),
                "",
                older.fields().union(entry.fields()));
        left.add(ancient);
        excess--;
      }
      oldest.put(entry.apiVersion(), ancient);
    }
    return left;
  }
}
