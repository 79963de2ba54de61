package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.mutation.Mutations;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One {@code PublishedResource} of {@code syncagent.kcp.io/v1alpha1}, with its templates compiled.
 * Fields that are not known here stay in the object that it was read from.
 *
 * @param group of the type on the service cluster; empty for the core group
 * @param versions which to publish; empty for all that are served
 * @param adoption empty where the agent's default holds
 */
public record PublishedResource(
    String name,
    String uid,
    long generation,
    String group,
    String kind,
    Set<String> versions,
    LabelSelector namespaceFilter,
    LabelSelector resourceFilter,
    Naming naming,
    WorkspacePaths workspacePaths,
    Projection projection,
    SchemaRules schemaRules,
    Mutations mutations,
    List<RelatedResource> related,
    Synchronization synchronization,
    Optional<Adoption> adoption,
    SyncPolicy syncPolicy) {
  public static final ResourceType TYPE =
      new ResourceType(SyncMarks.GROUP, "v1alpha1", "publishedresources");

  public static final String KIND = "PublishedResource";

  /** More entries than this are a mistake; each costs a watch or two. */
  public static final int RELATED_MAX = 64;

  public PublishedResource {
    versions = Set.copyOf(versions);
    related = List.copyOf(related);
  }

  /** Whether the consumer's workspace path is looked up. */
  public enum WorkspacePaths {
    OFF,
    ON
  }

  /** Whether objects are synced, or only the schema is published. */
  public enum Synchronization {
    ON,
    OFF,
    /** Objects stay as they are for the time being. */
    PAUSED
  }

  /** Throws {@link InvalidPublishedResource}: all fields that cannot work, and why. */
  public static PublishedResource read(KubeObject object) {
    var problems = new Problems();
    Object spec = object.at("spec");
    Object resource = Trees.at(spec, "resource");
    return problems.checked(
        new PublishedResource(
            object.name(),
            object.uid(),
            object.generation(),
            Trees.text(resource, "apiGroup"),
            problems.read("", () -> kind(resource)),
            problems.read(Set.of(), () -> versions(resource)),
            selector(spec, "namespace", problems),
            selector(spec, "resource", problems),
            naming(Trees.at(spec, "naming"), problems),
            Boolean.TRUE.equals(Trees.at(spec, "enableWorkspacePaths"))
                ? WorkspacePaths.ON
                : WorkspacePaths.OFF,
            problems.read(
                Projection.read(null), () -> Projection.read(Trees.at(spec, "projection"))),
            problems.read(SchemaRules.DEFAULT, () -> SchemaRules.read(spec)),
            problems.read(
                Mutations.NONE, () -> Mutations.read(Trees.at(spec, "mutation"), "spec.mutation")),
            problems.read(List.of(), () -> related(spec)),
            synchronization(Trees.at(spec, "synchronization")),
            problems.read(
                Optional.empty(),
                () -> FieldValues.find(Adoption.class, spec, "synchronization", "adoption")),
            problems.read(SyncPolicy.DEFAULT, () -> SyncPolicy.read(spec))));
  }

  private static String kind(@Nullable Object resource) {
    String kind = Trees.text(resource, "kind");
    if (kind.isEmpty()) {
      throw InvalidPublishedResource.spec("spec.resource.kind is missing");
    }
    return kind;
  }

  private static LabelSelector selector(@Nullable Object spec, String of, Problems problems) {
    return problems.read(
        LabelSelector.EVERYTHING,
        () -> LabelSelector.read(Trees.at(spec, "filter", of), "spec.filter." + of));
  }

  private static Set<String> versions(@Nullable Object resource) {
    String version = Trees.text(resource, "version");
    List<Object> versions = Trees.list(resource, "versions");
    if (!version.isEmpty() && !versions.isEmpty()) {
      throw InvalidPublishedResource.spec("spec.resource: version and versions exclude each other");
    }
    var all = new LinkedHashSet<String>();
    if (!version.isEmpty()) {
      all.add(version);
    }
    versions.forEach(entry -> all.add(Trees.textOrEmpty(entry)));
    return all;
  }

  private static Naming naming(@Nullable Object tree, Problems problems) {
    return new Naming(
        pattern(tree, "namespace", NamePattern.DEFAULT_NAMESPACE, problems),
        pattern(tree, "name", NamePattern.DEFAULT_NAME, problems),
        problems.read(
            NamespaceMetadata.NONE,
            () ->
                NamespaceMetadata.read(
                    Trees.at(tree, "namespaceMetadata"), "spec.naming.namespaceMetadata")));
  }

  private static NamePattern pattern(
      @Nullable Object naming, String part, NamePattern otherwise, Problems problems) {
    String text = Trees.text(naming, part);
    return text.isEmpty()
        ? otherwise
        : problems.read(otherwise, () -> NamePattern.compile(text, "spec.naming." + part));
  }

  private static List<RelatedResource> related(@Nullable Object spec) {
    List<Object> entries = Trees.list(spec, "related");
    if (entries.size() > RELATED_MAX) {
      throw InvalidPublishedResource.spec("spec.related: more than " + RELATED_MAX + " entries");
    }
    var problems = new Problems();
    var identifiers = new HashSet<String>();
    return problems.checked(
        problems.readEach(
            entries,
            "spec.related",
            (entry, field) -> {
              var read = RelatedResource.read(entry, field);
              if (!identifiers.add(read.identifier())) {
                throw InvalidPublishedResource.spec(
                    "spec.related: two entries are called \"" + read.identifier() + "\"");
              }
              return read;
            }));
  }

  private static Synchronization synchronization(@Nullable Object tree) {
    if (Boolean.FALSE.equals(Trees.at(tree, "enabled"))) {
      return Synchronization.OFF;
    }
    return Boolean.TRUE.equals(Trees.at(tree, "paused"))
        ? Synchronization.PAUSED
        : Synchronization.ON;
  }
}
