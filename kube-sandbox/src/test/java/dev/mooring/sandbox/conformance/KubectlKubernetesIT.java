package dev.mooring.sandbox.conformance;

import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import dev.mooring.sandbox.kube.Sandbox;
import java.nio.file.Path;

/** On a plain Kubernetes server. */
class KubectlKubernetesIT extends KubectlContract {
  @Override
  Sandbox started(Path root) {
    return KubeSandbox.start(KubeOptions.in(root));
  }
}
