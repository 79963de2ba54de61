package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One way in which a new APIResourceSchema is stricter than an old one: objects that were fine
 * under the old one may be refused, or lose fields, under the new one.
 *
 * @param where version and field, such as {@code v1: spec.dnsNames[*]}
 * @param what such as {@code field removed}
 */
public record SchemaChange(String where, String what) {
  /** Past this many, the rest tells nothing new. */
  public static final int LISTED_MAX = 100;

  private static final Comparator<SchemaChange> ORDER =
      Comparator.comparing(SchemaChange::where).thenComparing(SchemaChange::what);

  /**
   * What breaks when the new schema takes the old one's place, sorted, at most {@value
   * #LISTED_MAX}. Empty means that every object that the old schema accepts is accepted and kept by
   * the new one, as far as schemas show without running their rules.
   *
   * @param before spec of an APIResourceSchema
   * @param after spec of the one that replaces it; under another group or plural name that is
   *     another API, and the old one is left
   */
  public static List<SchemaChange> breaking(Map<String, Object> before, Map<String, Object> after) {
    var changes = new ArrayList<SchemaChange>();
    if (!api(before).equals(api(after))) {
      changes.add(
          new SchemaChange(
              "name",
              ("changed from %s to %s, which is another API: consumers' objects of the"
                      + " old one are left as they are and are no longer synced")
                  .formatted(api(before), api(after))));
    }
    differs(before, after, changes, "scope", "scope");
    differs(Trees.map(before, "names"), Trees.map(after, "names"), changes, "names.kind", "kind");
    Map<String, Object> newVersions = versions(after);
    versions(before)
        .forEach((name, version) -> {
          Object successor = newVersions.get(name);
          if (successor == null) {
            changes.add(new SchemaChange(name, "version is no longer served"));
          } else {
            version(name, version, successor, changes);
          }
        });
    return changes.stream().distinct().sorted(ORDER).limit(LISTED_MAX).toList();
  }

  private static String api(Map<String, Object> spec) {
    return Trees.text(spec, "names", "plural") + "." + Trees.text(spec, "group");
  }

  private static void version(
      String name, Object before, Object after, List<SchemaChange> changes) {
    for (String subresource : List.of("status", "scale")) {
      if (Trees.at(before, "subresources", subresource) != null
          && Trees.at(after, "subresources", subresource) == null) {
        changes.add(new SchemaChange(name, subresource + " subresource removed"));
      }
    }
    new SchemaComparison(name, changes)
        .compare("", Trees.at(before, "schema"), Trees.map(after, "schema"));
  }

  private static void differs(
      Map<String, Object> before,
      Map<String, Object> after,
      List<SchemaChange> changes,
      String where,
      String field) {
    if (!Objects.equals(before.get(field), after.get(field))) {
      changes.add(
          new SchemaChange(where, "changed from " + before.get(field) + " to " + after.get(field)));
    }
  }

  /** Served ones by name. */
  private static Map<String, Object> versions(Map<String, Object> spec) {
    var versions = new LinkedHashMap<String, Object>();
    for (Object version : Trees.list(spec, "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "served"))) {
        versions.put(Trees.text(version, "name"), version);
      }
    }
    return versions;
  }

  /** As it stands in messages. */
  @Override
  public String toString() {
    return where + ": " + what;
  }
}
