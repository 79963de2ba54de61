package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Objects;

/**
 * A provider's statement that objects of one of its types refer to objects of others, which must
 * therefore not be deleted first ({@code dependencies.opendefense.cloud/v1alpha1}).
 *
 * @param key of the rule; its logical cluster is the provider that wrote it
 * @param generation of the specification that was read
 * @param dependencies in the author's order; never empty
 */
public record DependencyRule(
    ObjectKey key, long generation, Dependent dependent, List<Dependency> dependencies) {
  public static final String GROUP = "dependencies.opendefense.cloud";
  public static final ResourceType TYPE = new ResourceType(GROUP, "v1alpha1", "dependencyrules");
  public static final String KIND = "DependencyRule";

  /** On a protected object, with the value {@code "true"}: it may be deleted all the same. */
  public static final String SKIP_PROTECTION = GROUP + "/skip-protection";

  public DependencyRule {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(dependent, "dependent");
    dependencies = List.copyOf(dependencies);
    if (dependencies.isEmpty()) {
      throw new IllegalArgumentException("a rule names at least one dependency");
    }
  }

  /** {@code <logical cluster>/<name>}: how messages name a rule. */
  public String qualifiedName() {
    return key.cluster() + "/" + key.name();
  }

  /**
   * The type that refers.
   *
   * @param apiExportName the export, in the rule's own workspace, that offers it
   * @param kind for messages
   */
  public record Dependent(String apiExportName, ResourceType type, String kind) {
    public Dependent {
      Objects.requireNonNull(apiExportName, "apiExportName");
      Objects.requireNonNull(type, "type");
      Objects.requireNonNull(kind, "kind");
    }
  }

  /**
   * A type that is referred to, and where the reference stands.
   *
   * @param target its version says which the rule's author knew; all versions are protected
   */
  public record Dependency(ExportReference export, ResourceType target, FieldPath field) {
    public Dependency {
      Objects.requireNonNull(export, "export");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(field, "field");
    }
  }

  /** An APIExport by the path of its workspace. */
  public record ExportReference(WorkspacePath path, String name) {
    public ExportReference {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(name, "name");
    }
  }
}
