package dev.mooring.check;

import dev.mooring.demo.Types;

/** What is to be kept. */
final class Kept {
  private Kept() {}

  /** Makes a VPC in {@code default} that a machine refers to; it is protected when this returns. */
  static void vpc(Ground ground, String name) {
    // A check before this one may have failed while a service was away.
    ground.awaitServices();
    ground.create(ground.consumer(), Types.VPCS, Samples.vpc("default", name));
    ground.create(
        ground.consumer(),
        Types.VIRTUAL_MACHINES,
        Samples.machine("default", name + "-user", name));
    ground.requireRefused(Types.VPCS, "default", name, "still referenced by");
  }
}
