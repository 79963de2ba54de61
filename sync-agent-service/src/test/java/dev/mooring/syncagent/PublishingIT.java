package dev.mooring.syncagent;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class PublishingIT extends PublishingContract {
  @TempDir private static Path directory;
  private static KcpSandbox sandbox;

  @BeforeAll
  static void starts() {
    sandbox = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")));
    enter(sandbox.kubeconfigFile(), directory);
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
