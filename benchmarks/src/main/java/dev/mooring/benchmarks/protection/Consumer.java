package dev.mooring.benchmarks.protection;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeClient;

/**
 * A workspace with so many machines in its namespace {@code default}.
 *
 * @param name within the run
 */
record Consumer(String name, int machines, KubeClient client, LogicalCluster cluster) {}
