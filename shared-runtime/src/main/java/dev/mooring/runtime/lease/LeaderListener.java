package dev.mooring.runtime.lease;

/**
 * Is told when this process may act and when it no longer may; by one thread, in turns, beginning
 * with {@link #leads()}. Must return soon: the Lease is not renewed meanwhile.
 */
public interface LeaderListener {
  void leads();

  /** Others may lead from now on: stop what only one may do. */
  void follows();
}
