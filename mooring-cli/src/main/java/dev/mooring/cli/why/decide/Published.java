package dev.mooring.cli.why.decide;

import dev.mooring.cli.status.ObjectStatus;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.InvalidPublishedResource;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Instant;
import java.util.Optional;

/** A PublishedResource on the service cluster, as it publishes the object's type. */
public record Published(KubeObject object) {
  public String name() {
    return object.name();
  }

  public ObjectStatus status() {
    return ObjectStatus.of(object);
  }

  /** When a person last changed spec; empty if that is not recorded. */
  Optional<Instant> changed() {
    return SyncFacts.changed(object);
  }

  /** Empty if it is invalid. */
  public Optional<PublishedResource> valid() {
    try {
      return Optional.of(PublishedResource.read(object));
    } catch (InvalidPublishedResource e) {
      return Optional.empty();
    }
  }
}
