package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.ReferenceStep.Demand;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.References;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The references that a request adds. */
public final class NewReferences {
  private NewReferences() {}

  /**
   * A reference that the old object does not have.
   *
   * @param type of the target, in the rule's version
   */
  public record Added(ResourceType type, Reference reference, Demand demand) {
    /** {@code <resource>/<name>} of the target. */
    public String target() {
      return type.resource() + "/" + reference.name();
    }
  }

  /**
   * References of the new object that the old object does not have. An undecidable field yields no
   * reference: once the object exists, every deletion that it may concern is denied anyway.
   * References to the object itself are left out.
   *
   * @param protections of the dependent's type
   * @return sorted by type, namespace and name, so that two replicas claim in the same order
   */
  public static List<Added> of(
      List<MatchedRule> protections,
      ResourceType dependent,
      Optional<KubeObject> before,
      KubeObject after) {
    var added = new TreeMap<ResourceType, SortedMap<Reference, Demand>>();
    for (MatchedRule protection : protections) {
      Demand demand = protection.dependency().requiresTarget() ? Demand.PRESENT : Demand.ANY;
      SortedSet<Reference> had =
          before.map(object -> known(protection, object)).orElseGet(TreeSet::new);
      for (Reference reference : known(protection, after)) {
        if (!had.contains(reference) && !itself(protection, dependent, after, reference)) {
          added
              .computeIfAbsent(protection.dependency().target(), _ -> new TreeMap<>())
              .merge(reference, demand, (one, other) -> one == Demand.PRESENT ? one : other);
        }
      }
    }
    var all = new ArrayList<Added>();
    added.forEach((type, references) ->
        references.forEach((to, demand) -> all.add(new Added(type, to, demand))));
    return all;
  }

  private static SortedSet<Reference> known(MatchedRule protection, KubeObject object) {
    return switch (protection.rule().reader(protection.dependency()).read(object)) {
      case References.Known(var all) -> all;
      case References.Undecidable(_) -> new TreeSet<>();
    };
  }

  private static boolean itself(
      MatchedRule protection, ResourceType dependent, KubeObject object, Reference reference) {
    return GroupResource.of(protection.dependency().target()).equals(GroupResource.of(dependent))
        && reference.name().equals(object.name())
        && (reference.namespace().isEmpty() || reference.namespace().equals(object.namespace()));
  }
}
