package dev.mooring.sandbox.kcp.shard;

import dev.mooring.sandbox.controller.LoopbackClient;

/**
 * Access to other shards with the rights of an administrator, as kcp's controllers have.
 * Thread-safe.
 */
@FunctionalInterface
public interface OtherShards {
  /** Of a server that is its only shard. */
  OtherShards NONE =
      shard -> {
        throw new ShardUnavailable(shard);
      };

  /**
   * The objects of the shard of this name. Callers ask before each use, because a shard can stop.
   *
   * @throws ShardUnavailable if the shard does not run
   */
  LoopbackClient at(String shard);
}
