package dev.mooring.sandbox.kcp.shard;

/** A shard does not run. Callers try again. */
public final class ShardUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ShardUnavailable(String shard) {
    super("shard " + shard + " does not run");
  }
}
