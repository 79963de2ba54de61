package dev.mooring.syncagent;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class RealProjectedCrdsIT extends RealCrdsContract {
  @TempDir private static Path directory;
  private static KcpSandbox sandbox;

  @BeforeAll
  static void starts() throws Exception {
    folder();
    sandbox = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")));
    enter(sandbox.kubeconfigFile(), directory, Projected.YES);
  }

  @AfterAll
  static void stops() {
    leave();
    if (sandbox != null) {
      sandbox.close();
    }
  }
}
