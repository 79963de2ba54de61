package dev.mooring.sandbox.kcp.binding.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.workspace.decide.LogicalClusterPlanner;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names that a served resource occupies in its group.
 *
 * @param holder the object that serves it, as a message names it
 * @param names plural, singular and short names
 * @param kinds kind and list kind
 */
public record NamesInUse(String holder, String group, Set<String> names, Set<String> kinds) {
  public NamesInUse {
    names = Set.copyOf(names);
    kinds = Set.copyOf(kinds);
  }

  public static NamesInUse ofCrd(KubeObject crd) {
    return of("CustomResourceDefinition \"" + crd.name() + "\"", crd);
  }

  /** Of a schema that another binding has bound. */
  public static NamesInUse ofBinding(KubeObject binding, KubeObject schema) {
    ExportReference export = ExportReference.ofBinding(binding);
    String boundTo =
        export.path().isEmpty()
            ? "local APIExport \"" + export.name() + "\""
            : "APIExport " + export;
    return of("APIBinding \"" + binding.name() + "\" bound to " + boundTo, schema);
  }

  private static NamesInUse of(String holder, KubeObject object) {
    Map<String, Object> spec = object.map("spec", "names");
    Set<String> names = new HashSet<>();
    Set<String> kinds = new HashSet<>();
    add(names, spec.get("plural"));
    add(names, spec.get("singular"));
    Trees.list(spec, "shortNames").forEach(name -> add(names, name));
    add(kinds, spec.get("kind"));
    add(kinds, spec.get("listKind"));
    return new NamesInUse(holder, object.text("spec", "group"), names, kinds);
  }

  private static void add(Set<String> names, @Nullable Object name) {
    if (name instanceof String text && !text.isEmpty()) {
      names.add(text);
    }
  }

  /** Why the schema's names conflict with these; empty if they do not. */
  Optional<String> conflictWith(KubeObject schema) {
    if (!group.equals(schema.text("spec", "group"))) {
      return Optional.empty();
    }
    return taken(schema)
        .map(taken -> "naming conflict with " + holder + ": " + taken + " is forbidden");
  }

  private Optional<String> taken(KubeObject schema) {
    for (String field : new String[] {"plural", "singular"}) {
      if (names.contains(schema.text("spec", "names", field))) {
        return Optional.of(shown(schema, field));
      }
    }
    if (schema.list("spec", "names", "shortNames").stream().anyMatch(names::contains)) {
      return Optional.of(
          "spec.names.shortNames="
              + LogicalClusterPlanner.listed(schema.list("spec", "names", "shortNames")));
    }
    for (String field : new String[] {"kind", "listKind"}) {
      if (kinds.contains(schema.text("spec", "names", field))) {
        return Optional.of(shown(schema, field));
      }
    }
    return Optional.empty();
  }

  private static String shown(KubeObject schema, String field) {
    return "spec.names." + field + "=" + schema.text("spec", "names", field);
  }
}
