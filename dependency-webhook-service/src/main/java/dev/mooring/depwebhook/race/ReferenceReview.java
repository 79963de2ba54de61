package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * A request that creates or changes an object which may refer to others.
 *
 * @param type as the review names it, without a subresource
 * @param before empty for a creation
 * @param provider whose configuration sent the review; empty if its URL does not say
 */
public record ReferenceReview(
    LogicalCluster cluster,
    ResourceType type,
    Optional<KubeObject> before,
    KubeObject after,
    Recording recording,
    Optional<LogicalCluster> provider) {}
