package dev.mooring.sandbox.conformance;

import dev.mooring.sandbox.ServerOptions;

/** In kcp, in the workspace root. */
class KubectlIT extends KubectlContract {
  KubectlIT() {
    super(ServerOptions.Mode.KCP);
  }
}
