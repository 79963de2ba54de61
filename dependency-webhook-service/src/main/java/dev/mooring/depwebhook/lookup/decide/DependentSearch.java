package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.ReferenceField.Reach;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One look at one dependent type that answers for every rule and every field that refers from it to
 * the target.
 *
 * @param dependent as it has to be read
 * @param protections that ask, in order; never empty
 */
public record DependentSearch(ResourceType dependent, List<Protection> protections) {
  public DependentSearch {
    protections = List.copyOf(protections);
    if (protections.isEmpty()) {
      throw new IllegalArgumentException("a search of " + dependent + " needs a protection");
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
    return new DependentSearch(entry.getKey(), entry.getValue());
  }

  /** For messages, as the first rule calls it. */
  public String kind() {
    return protections.getFirst().rule().dependent().kind();
  }

  /** What reads the dependents, each once. */
  public List<ReferenceReader> readers() {
    return protections.stream().map(Protection::reader).distinct().toList();
  }

  /** The gravest that can come of it. */
  public Mode mode() {
    return protections.stream().map(Protection::mode).sorted().findFirst().orElseThrow();
  }

  /** Whether all of it may be judged by an index. */
  public boolean mayBeIndexed() {
    return protections.stream().allMatch(p -> p.consistency() == Consistency.INDEXED);
  }

  /** The part of it that may; empty if none may. */
  public Optional<DependentSearch> indexed() {
    List<Protection> indexed =
        protections.stream().filter(p -> p.consistency() == Consistency.INDEXED).toList();
    return indexed.isEmpty()
        ? Optional.empty()
        : Optional.of(new DependentSearch(dependent, indexed));
  }

  /** In which namespace namespaced dependents have to be; empty for any. */
  public String namespaceFor(Target target) {
    boolean anywhere =
        protections.stream().anyMatch(p -> p.dependency().field().reach() == Reach.ANY_NAMESPACE);
    return anywhere ? "" : target.key().namespace();
  }

  /** What has to be known of a dependent. */
  public FieldMask mask() {
    return SearchFields.mask(readers());
  }

  /**
   * Field selectors that together find every dependent that refers to the target, if the server
   * serves them; empty where no selector can say what a rule means.
   */
  public Optional<List<String>> selectors(Target target) {
    return SearchFields.selectors(readers(), target);
  }

  /**
   * The protections by which this object keeps the target. An object does not block its own
   * deletion, whatever a rule says.
   */
  public List<Protection> keptBy(KubeObject object, Target target) {
    return isTarget(object, target)
        ? List.of()
        : protections.stream()
            .filter(protection -> protection.reader().read(object).mayMean(target))
            .toList();
  }

  /** Why nobody can tell what an object refers to; empty if that can be told. */
  public Optional<String> undecidable(KubeObject object) {
    for (Protection protection : protections) {
      if (protection.reader().read(object) instanceof References.Undecidable(var problem)) {
        return Optional.of(
            "rule %s cannot tell what %s/%s refers to: %s"
                .formatted(
                    protection.rule().qualifiedName(),
                    protection.rule().dependent().kind(),
                    object.name(),
                    problem));
      }
    }
    return Optional.empty();
  }

  private boolean isTarget(KubeObject object, Target target) {
    return GroupResource.of(dependent).equals(target.type())
        && object.namespace().equals(target.key().namespace())
        && object.name().equals(target.key().name());
  }
}
