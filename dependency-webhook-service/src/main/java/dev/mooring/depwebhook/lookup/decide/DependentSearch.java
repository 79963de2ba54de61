package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.depwebhook.rules.decide.MatchedRule;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One search of one dependent type for all rules and fields that refer from it to the target.
 *
 * @param dependent in the version of the rules
 * @param protections in order; never empty
 */
public record DependentSearch(ResourceType dependent, List<MatchedRule> protections) {
  public DependentSearch {
    protections = List.copyOf(protections);
    if (protections.isEmpty()) {
      throw new IllegalArgumentException("a search of " + dependent + " needs a protection");
    }
  }

  /** One search for each dependent type, sorted by type. */
  public static List<DependentSearch> forAll(List<MatchedRule> protections) {
    var byType = new TreeMap<ResourceType, List<MatchedRule>>();
    for (MatchedRule protection : protections) {
      byType
          .computeIfAbsent(protection.rule().dependent().type(), type -> new ArrayList<>())
          .add(protection);
    }
    return byType.entrySet().stream()
        .map(entry -> new DependentSearch(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Empty if no protection is left. */
  public Optional<DependentSearch> without(Set<MatchedRule> ineligible) {
    return part(protection -> !ineligible.contains(protection));
  }

  /** For messages, as the first rule calls it. */
  public String kind() {
    return protections.getFirst().rule().dependent().kind();
  }

  /** For messages: the rules, and what is listed for them. */
  public String description() {
    List<String> rules = protections.stream().map(p -> p.rule().qualifiedName()).toList();
    return "checking dependencies for rule %s: listing %s"
        .formatted(Shortlist.of(rules, ", "), dependent);
  }

  /** The distinct readers of the dependents. */
  public List<ReferenceReader> readers() {
    return protections.stream().map(MatchedRule::reader).distinct().toList();
  }

  /** The most severe mode. */
  public Mode mode() {
    return protections.stream().map(MatchedRule::mode).sorted().findFirst().orElseThrow();
  }

  /** Whether an index may answer for all protections. */
  public boolean mayBeIndexed() {
    return protections.stream().allMatch(p -> p.consistency() == Consistency.INDEXED);
  }

  /** The part for which an index may answer; empty if there is none. */
  public Optional<DependentSearch> indexed() {
    return part(protection -> protection.consistency() == Consistency.INDEXED);
  }

  private Optional<DependentSearch> part(Predicate<MatchedRule> of) {
    List<MatchedRule> left = protections.stream().filter(of).toList();
    return left.isEmpty() ? Optional.empty() : Optional.of(new DependentSearch(dependent, left));
  }

  /** The namespace of namespaced dependents; empty for all namespaces. */
  public String namespaceFor(Target target) {
    boolean anywhere =
        protections.stream().anyMatch(p -> p.dependency().field().reach() == Reach.ANY_NAMESPACE);
    return anywhere ? "" : target.key().namespace();
  }

  /** The fields of a dependent that the readers need. */
  public FieldMask mask() {
    return SearchFields.mask(readers());
  }

  /**
   * Field selectors that together match every dependent that refers to the target; empty if a rule
   * cannot be expressed as a selector.
   */
  public Optional<List<String>> selectors(Target target) {
    return SearchFields.selectors(readers(), target);
  }

  /**
   * The protections by which this object refers to the target. References of an object to itself
   * are ignored.
   */
  public List<MatchedRule> matchingProtections(KubeObject object, Target target) {
    return matchingProtections(object, target, reader -> reader.read(object));
  }

  /**
   * As {@link #matchingProtections(KubeObject, Target)}.
   *
   * @param references of the object
   */
  public List<MatchedRule> matchingProtections(
      KubeObject object, Target target, Function<ReferenceReader, References> references) {
    return isTarget(object, target)
        ? List.of()
        : protections.stream()
            .filter(protection -> references.apply(protection.reader()).mayMean(target))
            .toList();
  }

  /** Why the references of an object are undecidable; empty if they are known. */
  public Optional<String> undecidable(KubeObject object) {
    for (MatchedRule protection : protections) {
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
