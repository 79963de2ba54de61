/** Which shard a logical cluster is on, and what a request finds at one shard's address. */
package dev.mooring.sandbox.kcp.shard;
