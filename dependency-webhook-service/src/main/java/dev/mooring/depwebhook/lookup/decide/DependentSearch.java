package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * One list of one dependent type that answers for every rule and every field that refers from it to
 * the target.
 *
 * @param dependent as it has to be listed
 * @param kind for messages, as the first rule calls it
 * @param rules that ask, in order, by qualified name
 * @param fields any of which makes an object a blocker; never empty
 */
public record DependentSearch(
    ResourceType dependent, String kind, List<String> rules, List<ReferenceReader> fields) {
  public DependentSearch {
    rules = List.copyOf(rules);
    fields = List.copyOf(fields);
    if (rules.isEmpty() || fields.isEmpty()) {
      throw new IllegalArgumentException("a search of " + dependent + " needs a rule and a field");
    }
  }

  /** As few searches as answer for all of these, sorted by dependent type. */
  public static List<DependentSearch> forAll(List<Protection> protections) {
    var byType = new TreeMap<ResourceType, List<Protection>>();
    for (Protection protection : protections) {
      byType
          .computeIfAbsent(protection.rule().dependent().type(), type -> new ArrayList<>())
          .add(protection);
    }
    return byType.entrySet().stream().map(DependentSearch::over).toList();
  }

  private static DependentSearch over(Map.Entry<ResourceType, List<Protection>> entry) {
    SequencedSet<String> rules = new LinkedHashSet<>();
    SequencedSet<ReferenceReader> fields = new LinkedHashSet<>();
    for (Protection protection : entry.getValue()) {
      rules.add(protection.rule().qualifiedName());
      fields.add(protection.rule().reader(protection.dependency()));
    }
    String kind = entry.getValue().getFirst().rule().dependent().kind();
    return new DependentSearch(entry.getKey(), kind, List.copyOf(rules), List.copyOf(fields));
  }

  /**
   * The blocker that this object is, if it refers to the target. An object does not block its own
   * deletion, whatever a rule says.
   */
  public Optional<Blocker> blocker(KubeObject object, Target target) {
    boolean refers = fields.stream().anyMatch(f -> f.read(object).mayMean(target));
    return refers && !isTarget(object, target)
        ? Optional.of(new Blocker(kind, object.namespace(), object.name()))
        : Optional.empty();
  }

  private boolean isTarget(KubeObject object, Target target) {
    return GroupResource.of(dependent).equals(target.type())
        && object.namespace().equals(target.key().namespace())
        && object.name().equals(target.key().name());
  }
}
