package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that one decision is made on, read before it.
 *
 * @param resource the PublishedResource as it is stored
 * @param schema absent also where the export is not known
 * @param rival name of an older PublishedResource that gives the same type in kcp; empty if none
 * @param now for the transition times of conditions
 */
public record PublicationSnapshot(
    KubeObject resource,
    Publication publication,
    String agentName,
    ExportSighting export,
    SchemaPresence schema,
    Optional<String> rival,
    SyncState syncing,
    Instant now) {
  public PublicationSnapshot {
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(publication, "publication");
    Objects.requireNonNull(export, "export");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(rival, "rival");
    Objects.requireNonNull(syncing, "syncing");
    Objects.requireNonNull(now, "now");
  }

  /** Whether the APIResourceSchema of the publication exists. */
  public enum SchemaPresence {
    PRESENT,
    ABSENT
  }
}
