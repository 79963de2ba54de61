package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.mutation.Mutations;
import java.util.ArrayList;
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

  /** Throws {@link InvalidPublishedResource}: the first field that cannot work, and why. */
  public static PublishedResource read(KubeObject object) {
    Object spec = object.at("spec");
    Object resource = Trees.at(spec, "resource");
    String kind = Trees.text(resource, "kind");
    if (kind.isEmpty()) {
      throw InvalidPublishedResource.spec("spec.resource.kind is missing");
    }
    return new PublishedResource(
        object.name(),
        object.uid(),
        object.generation(),
        Trees.text(resource, "apiGroup"),
        kind,
        versions(resource),
        LabelSelector.read(Trees.at(spec, "filter", "namespace"), "spec.filter.namespace"),
        LabelSelector.read(Trees.at(spec, "filter", "resource"), "spec.filter.resource"),
        naming(Trees.at(spec, "naming")),
        Boolean.TRUE.equals(Trees.at(spec, "enableWorkspacePaths"))
            ? WorkspacePaths.ON
            : WorkspacePaths.OFF,
        Projection.read(Trees.at(spec, "projection")),
        SchemaRules.read(spec),
        Mutations.read(Trees.at(spec, "mutation"), "spec.mutation"),
        related(spec),
        synchronization(Trees.at(spec, "synchronization")),
        Optional.of(Trees.text(spec, "synchronization", "adoption"))
            .filter(text -> !text.isEmpty())
            .map(Adoption::of),
        SyncPolicy.read(spec));
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

  private static Naming naming(@Nullable Object tree) {
    String namespace = Trees.text(tree, "namespace");
    String name = Trees.text(tree, "name");
    return new Naming(
        namespace.isEmpty()
            ? NamePattern.DEFAULT_NAMESPACE
            : NamePattern.compile(namespace, "spec.naming.namespace"),
        name.isEmpty() ? NamePattern.DEFAULT_NAME : NamePattern.compile(name, "spec.naming.name"),
        NamespaceMetadata.read(
            Trees.at(tree, "namespaceMetadata"), "spec.naming.namespaceMetadata"));
  }

  private static List<RelatedResource> related(@Nullable Object spec) {
    List<Object> entries = Trees.list(spec, "related");
    if (entries.size() > RELATED_MAX) {
      throw InvalidPublishedResource.spec("spec.related: more than " + RELATED_MAX + " entries");
    }
    var related = new ArrayList<RelatedResource>();
    var identifiers = new HashSet<String>();
    for (int i = 0; i < entries.size(); i++) {
      var entry = RelatedResource.read(entries.get(i), "spec.related[" + i + "]");
      if (!identifiers.add(entry.identifier())) {
        throw InvalidPublishedResource.spec(
            "spec.related: two entries are called \"" + entry.identifier() + "\"");
      }
      related.add(entry);
    }
    return related;
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
