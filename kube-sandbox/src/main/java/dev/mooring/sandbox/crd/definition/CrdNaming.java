package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.status.Conditions;
import dev.mooring.sandbox.api.status.Conditions.Condition;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
    verdict = name("plural", "PluralConflict", asked, had, taken.resources(), accepted, verdict);
    verdict =
        name("singular", "SingularConflict", asked, had, taken.resources(), accepted, verdict);
    verdict = shortNames(asked, had, taken.resources(), accepted, verdict);
    verdict = name("kind", "KindConflict", asked, had, taken.kinds(), accepted, verdict);
    verdict = name("listKind", "ListKindConflict", asked, had, taken.kinds(), accepted, verdict);
    put(accepted, "categories", asked.get("categories"));
    KubeObject named = definition.with(withRequired(accepted), "status", "acceptedNames");
    named = Conditions.set(named, verdict, now);
    return Conditions.set(named, established(definition, verdict), now);
  }

  private static Condition name(
      String field,
      String reason,
      Map<String, Object> asked,
      Map<String, Object> had,
      Set<String> taken,
      Map<String, Object> accepted,
      Condition verdict) {
    Object name = asked.get(field);
    if (name != null && !name.equals(had.get(field)) && taken.contains(name)) {
      return conflict(reason, "\"" + name + "\" is already in use");
    }
    put(accepted, field, name);
    return verdict;
  }

  private static Condition shortNames(
      Map<String, Object> asked,
      Map<String, Object> had,
      Set<String> taken,
      Map<String, Object> accepted,
      Condition verdict) {
    List<Object> ours = Trees.list(had, "shortNames");
    List<String> refused =
        Trees.list(asked, "shortNames").stream()
            .filter(name -> !ours.contains(name) && taken.contains(name))
            .map(name -> "\"" + name + "\" is already in use")
            .toList();
    if (!refused.isEmpty()) {
      return conflict("ShortNamesConflict", GoText.aggregate(refused));
    }
    put(accepted, "shortNames", asked.get("shortNames"));
    return verdict;
  }

  private static Condition established(KubeObject definition, Condition names) {
    if (definition.hasCondition("Established") || names.status().equals("True")) {
      return new Condition(
          "Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
    }
    return new Condition("Established", "False", "NotAccepted", "not all names are accepted");
  }

  private static Condition conflict(String reason, String message) {
    return new Condition("NamesAccepted", "False", reason, message);
  }

  /** Plural and kind are there even when empty. */
  private static Map<String, Object> withRequired(Map<String, Object> accepted) {
    accepted.putIfAbsent("plural", "");
    accepted.putIfAbsent("kind", "");
    return accepted;
  }

  private static void put(Map<String, Object> map, String key, @Nullable Object value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }
}
