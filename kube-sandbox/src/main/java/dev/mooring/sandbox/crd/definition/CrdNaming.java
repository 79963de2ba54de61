package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.api.status.Conditions.Condition;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of the names that a CustomResourceDefinition asks for it gets: those that nothing else in
 * its group has (apiextensions {@code pkg/controller/status/naming_controller.go}). Unlike
 * upstream, a definition is established together with its names.
 */
public final class CrdNaming {
  private CrdNaming() {}

  /** Names that other resources of the group have in the same logical cluster. */
  public record Taken(Set<String> resources, Set<String> kinds) {
    public Taken {
      resources = Set.copyOf(resources);
      kinds = Set.copyOf(kinds);
    }

    /**
     * @param names each an {@code acceptedNames} or alike
     */
    public static Taken by(Collection<Map<String, Object>> names) {
      var resources = new TreeSet<String>();
      var kinds = new TreeSet<String>();
      for (Map<String, Object> one : names) {
        resources.add(Trees.text(one, "plural"));
        resources.add(Trees.text(one, "singular"));
        Trees.list(one, "shortNames").forEach(name -> resources.add(Trees.textOrEmpty(name)));
        kinds.add(Trees.text(one, "kind"));
        kinds.add(Trees.text(one, "listKind"));
      }
      resources.remove("");
      kinds.remove("");
      return new Taken(resources, kinds);
    }
  }

  /** The definition with its status as it should be; equal to the given one if nothing changes. */
  public static KubeObject decide(KubeObject definition, Taken taken, String now) {
    Map<String, Object> asked = definition.map("spec", "names");
    Map<String, Object> had = definition.map("status", "acceptedNames");
    var accepted = new LinkedHashMap<>(had);
    var verdict = new Condition("NamesAccepted", "True", "NoConflicts", "no conflicts found");
    for (String field : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
      Set<String> used =
          List.of("kind", "listKind").contains(field) ? taken.kinds() : taken.resources();
      List<?> ours = names(had.get(field));
      List<String> refused =
          names(asked.get(field)).stream()
              .filter(name -> used.contains(name) && !ours.contains(name))
              .map(name -> "\"" + name + "\" is already in use")
              .toList();
      if (refused.isEmpty()) {
        put(accepted, field, asked.get(field));
      } else {
        String reason = field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1);
        verdict =
            new Condition("NamesAccepted", "False", reason + "Conflict", GoText.aggregate(refused));
      }
    }
    put(accepted, "categories", asked.get("categories"));
    // Plural and kind are there even when empty.
    accepted.putIfAbsent("plural", "");
    accepted.putIfAbsent("kind", "");
    KubeObject named = definition.with(accepted, "status", "acceptedNames");
    named = Conditions.set(named, verdict, now);
    return Conditions.set(named, established(definition, verdict), now);
  }

  private static List<?> names(@Nullable Object value) {
    return value instanceof List<?> names ? names : Stream.ofNullable(value).toList();
  }

  private static Condition established(KubeObject definition, Condition names) {
    if (definition.hasCondition("Established") || names.status().equals("True")) {
      return new Condition(
          "Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
    }
    return new Condition("Established", "False", "NotAccepted", "not all names are accepted");
  }

  private static void put(Map<String, Object> map, String key, @Nullable Object value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }
}
