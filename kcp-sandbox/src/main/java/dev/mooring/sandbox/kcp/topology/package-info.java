/** PartitionSets and the Partitions that they make. */
package dev.mooring.sandbox.kcp.topology;
