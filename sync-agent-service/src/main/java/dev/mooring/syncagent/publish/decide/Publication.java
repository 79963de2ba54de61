package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SchemaProjection;
import java.util.Optional;

/** What a PublishedResource comes to, given the service cluster's CRDs. */
public sealed interface Publication {
  /** Reason where the service cluster does not serve the type. */
  String NOT_FOUND = "ResourceNotFound";

  /** It cannot work as it stands. */
  record Rejected(String reason, String message) implements Publication {}

  /** What the service cluster serves cannot be read at the moment: all that was published stays. */
  record Unreadable(String message) implements Publication {}

  /** It can be published. */
  record Ready(PublishedResource published, ProjectedSchema schema) implements Publication {}

  /**
   * Reads and projects; what is invalid becomes a {@link Rejected}.
   *
   * @param crd of the resource's group and kind, or what stands for one; empty if the service
   *     cluster does not serve it
   */
  static Publication of(KubeObject object, Optional<KubeObject> crd, String defaultGroup) {
    try {
      var published = PublishedResource.read(object);
      if (crd.isEmpty()) {
        return new Rejected(
            NOT_FOUND,
            ("The service cluster serves no kind %s in group \"%s\"; install its"
                    + " CustomResourceDefinition, or correct spec.resource.")
                .formatted(published.kind(), published.group()));
      }
      return new Ready(
          published, SchemaProjection.project(published, crd.get(), defaultGroup).checked(object));
    } catch (InvalidPublishedResource e) {
      return new Rejected(e.reason().text(), String.valueOf(e.getMessage()));
    }
  }
}
