package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Side;

/**
 * What a selector matched against: an object that begins or ceases to match changes its answer.
 *
 * @param cluster {@link LogicalCluster#NONE} on the service cluster
 * @param namespace empty for a cluster-scoped type
 */
public record LabelQuery(
    Side side, ResourceType type, LogicalCluster cluster, String namespace, LabelSelector labels) {}
