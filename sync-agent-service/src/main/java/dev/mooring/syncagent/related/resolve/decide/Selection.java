package dev.mooring.syncagent.related.resolve.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.LabelSelector;
import java.util.Objects;

/**
 * What a selector looked at: an object that begins or ends to match changes its answer.
 *
 * @param namespace empty for all of a cluster-scoped type
 */
public record Selection(ResourceType type, String namespace, LabelSelector labels) {
  public Selection {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(labels, "labels");
  }
}
