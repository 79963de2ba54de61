package dev.mooring.cli.check;

import dev.mooring.cli.demo.Types;

/** An object whose deletion must be denied. */
final class ProtectedFixture {
  private ProtectedFixture() {}

  /** Makes a VPC in {@code default} that a machine refers to; it is protected when this returns. */
  static void vpc(ProtectionEnvironment environment, String name) {
    // A check before this one may have failed while a service was away.
    environment.awaitServices();
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("default", name));
    environment.create(
        environment.consumer(),
        Types.VIRTUAL_MACHINES,
        Samples.machine("default", name + "-user", name));
    environment.requireRefused(Types.VPCS, "default", name, "still referenced by");
  }
}
