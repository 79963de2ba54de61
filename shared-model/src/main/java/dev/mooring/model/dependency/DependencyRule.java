package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A provider's statement that objects of one of its types refer to objects of others, which must
 * therefore not be deleted first ({@code dependencies.opendefense.cloud/v1alpha1}).
 *
 * @param key of the rule; its logical cluster is the provider that wrote it
 * @param generation of the specification that was read
 * @param dependencies in the author's order; never empty
 * @param when whether a dependent counts at all; empty if every one does
 * @param problems what could not be read, one sentence each; such parts protect more than the
 *     author may have meant, never less
 */
public record DependencyRule(
    ObjectKey key,
    long generation,
    Dependent dependent,
    List<Dependency> dependencies,
    Optional<DependentCondition> when,
    Enforcement enforcement,
    List<String> problems) {
  public static final String GROUP = "dependencies.opendefense.cloud";
  public static final ResourceType TYPE = new ResourceType(GROUP, "v1alpha1", "dependencyrules");
  public static final String KIND = "DependencyRule";

  /** On a protected object, with the value {@code "true"}: it may be deleted all the same. */
  public static final String SKIP_PROTECTION = GROUP + "/skip-protection";

  private static final String STATUS = "status";

  public DependencyRule {
    dependencies = List.copyOf(dependencies);
    problems = List.copyOf(problems);
    if (dependencies.isEmpty()) {
      throw new IllegalArgumentException("a rule names at least one dependency");
    }
  }

  /** A rule as the Go program knows them. */
  public DependencyRule(
      ObjectKey key, long generation, Dependent dependent, List<Dependency> dependencies) {
    this(
        key, generation, dependent, dependencies, Optional.empty(), Enforcement.DEFAULT, List.of());
  }

  /** {@code <logical cluster>/<name>}: how messages name a rule. */
  public String qualifiedName() {
    return qualifiedName(key);
  }

  /** As {@link #qualifiedName()}, also of a rule that is invalid. */
  public static String qualifiedName(ObjectKey rule) {
    return rule.cluster() + "/" + rule.name();
  }

  /** What one of its dependencies finds in a dependent. */
  public ReferenceReader reader(Dependency dependency) {
    return new ReferenceReader(dependency.field(), when, enforcement.whileTerminating());
  }

  /**
   * Whether creations and updates of the dependent are to be reviewed. Not of core types: a
   * provider's webhooks do not see them. Nor by a rule that refuses nothing.
   */
  public boolean guardsReferences() {
    return enforcement.raceProtection() == RaceProtection.STRICT
        && enforcement.mode() == Mode.DENY
        && !dependent.isCore();
  }

  /** What the webhook reads in consumers' workspaces to evaluate the rule. */
  public SortedSet<GroupResource> read() {
    var types = new TreeSet<GroupResource>(Set.of(GroupResource.of(dependent.type())));
    if (guardsReferences()) {
      dependencies.forEach(dependency -> types.add(GroupResource.of(dependency.target())));
    }
    return types;
  }

  /**
   * Whether an update of the dependent's status may make it refer to something: where the dependent
   * has the subresource {@code status}, nothing else changes it.
   */
  public boolean readsStatus() {
    return when.filter(condition -> condition.mayRead(STATUS)).isPresent()
        || dependencies.stream().anyMatch(dependency -> dependency.field().mayRead(STATUS));
  }

  public DependencyRule with(Enforcement other) {
    return new DependencyRule(key, generation, dependent, dependencies, when, other, problems);
  }

  /**
   * The type that refers.
   *
   * @param apiExportName the export, in the rule's own workspace, that offers it
   * @param kind for messages
   */
  public record Dependent(String apiExportName, ResourceType type, String kind) {

    /** Of the core group, which no export offers; an export may claim it. */
    public boolean isCore() {
      return type.group().isEmpty();
    }
  }

  /**
   * A type that is referred to, and how.
   *
   * @param target its version says which the rule's author knew; all versions are protected
   * @param requiresTarget whether a reference to nothing is refused, under {@link
   *     RaceProtection#STRICT}
   */
  public record Dependency(
      ExportReference export, ResourceType target, ReferenceField field, boolean requiresTarget) {

    /** As the Go program knows them. */
    public Dependency(ExportReference export, ResourceType target, FieldPath path) {
      this(export, target, new ReferenceField.AtPath(path), false);
    }
  }

  /** An APIExport by the path of its workspace. */
  public record ExportReference(WorkspacePath path, String name) {
    @Override
    public String toString() {
      return path + ":" + name;
    }
  }
}
