/**
 * How shards find and share objects: replication through a cache server, placement, the front
 * proxy's index.
 */
package dev.mooring.sandbox.kcp.shard;
