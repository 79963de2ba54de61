package dev.mooring.syncagent.related.resolve;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.Side;

/**
 * Where a selector looked.
 *
 * @param namespace empty for a cluster-scoped type
 */
public record Area(Side side, ResourceType type, LogicalCluster cluster, String namespace) {}
