package dev.mooring.depcontroller.control;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class SchemaUpgradeIT extends SchemaUpgradeContract {
  private static KcpSandbox sandbox;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    sandbox = KcpSandbox.start(ServerOptions.in(directory).withPort(0));
    enter(sandbox.kubeconfigFile());
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
