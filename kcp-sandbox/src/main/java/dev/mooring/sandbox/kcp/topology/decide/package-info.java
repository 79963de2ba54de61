/** Which Partitions a PartitionSet has. */
package dev.mooring.sandbox.kcp.topology.decide;
