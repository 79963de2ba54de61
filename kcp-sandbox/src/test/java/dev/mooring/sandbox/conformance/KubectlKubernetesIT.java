package dev.mooring.sandbox.conformance;

import dev.mooring.sandbox.ServerOptions;

/** On a plain Kubernetes server. */
class KubectlKubernetesIT extends KubectlContract {
  KubectlKubernetesIT() {
    super(ServerOptions.Mode.KUBERNETES);
  }
}
