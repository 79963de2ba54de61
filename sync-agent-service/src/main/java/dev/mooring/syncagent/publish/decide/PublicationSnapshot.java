package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that one decision is made on, read before it.
 *
 * @param resource the PublishedResource as it is stored
 * @param agent who publishes
 * @param schema the wanted APIResourceSchema; empty if it does not exist, or the export is unknown
 * @param listed the schema that the export lists for the type
 * @param nameConflict an older PublishedResource that stands in the way; empty if none
 * @param now for the transition times of conditions
 */
public record PublicationSnapshot(
    KubeObject resource,
    Publication publication,
    Agent agent,
    ExportLookup export,
    Optional<KubeObject> schema,
    ListedSchema listed,
    Optional<NameConflict> nameConflict,
    SyncState syncing,
    Instant now) {

  /** As it is after syncing was started or stopped. */
  public PublicationSnapshot with(SyncState changed) {
    return new PublicationSnapshot(
        resource, publication, agent, export, schema, listed, nameConflict, changed, now);
  }

  /**
   * Who publishes, and what that leaves on others' objects.
   *
   * @param exportAnnotations on the APIExport, next to the agent's name
   * @param statusFields which the stored status of a PublishedResource can have
   */
  public record Agent(
      String name, Map<String, String> exportAnnotations, StatusFields statusFields) {
    public Agent {
      exportAnnotations = Map.copyOf(exportAnnotations);
    }
  }

  /** An older PublishedResource in the way of this one. */
  public sealed interface NameConflict {
    /** Both give the same type in kcp. */
    record SameType(String name) implements NameConflict {}

    /** Both sync the same kind on the service cluster: it would be unclear whose a copy is. */
    record SameKind(String name) implements NameConflict {}

    static boolean isSameType(ProjectedSchema other, ProjectedSchema own) {
      return other.inKcp().resource().qualified().equals(own.inKcp().resource().qualified());
    }

    /**
     * @param other as it is stored
     */
    static boolean isSameKind(KubeObject other, PublishedResource own) {
      return own.synchronization() != PublishedResource.Synchronization.OFF
          && !Boolean.FALSE.equals(other.at("spec", "synchronization", "enabled"))
          && own.kind().equals(other.text("spec", "resource", "kind"))
          && own.group().equals(other.text("spec", "resource", "apiGroup"));
    }
  }
}
