package dev.mooring.syncagent;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class ExportMergeIT extends ExportMergeContract {
  @TempDir private static Path directory;
  private static KcpSandbox sandbox;

  @BeforeAll
  static void starts() {
    sandbox = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")));
  }

  @AfterAll
  static void stops() {
    sandbox.close();
  }

  @Override
  Path kubeconfig() {
    return sandbox.kubeconfigFile();
  }

  @Override
  Path directory() {
    return directory;
  }
}
