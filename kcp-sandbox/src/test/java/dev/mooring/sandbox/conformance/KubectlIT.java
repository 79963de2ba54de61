package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.kube.Sandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** In kcp, in the workspace root. */
class KubectlIT extends KubectlContract {
  @Override
  Sandbox started(Path root) {
    return KcpSandbox.start(ServerOptions.in(root));
  }

  @Test
  void explainsKcpsTypes() {
    assertThat(kubectl("explain", "workspaces.spec"))
        .containsPattern("URL\t<string>\n +Where the workspace is served")
        .doesNotContain("<no description>", "<empty>");
    assertThat(kubectl("explain", "workspaces.kind"))
        .contains("Kind is a string value representing the REST resource");
  }
}
