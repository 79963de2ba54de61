package dev.example.modular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.junit.WithKcp;
import dev.mooring.sandbox.junit.Workspace;
import dev.mooring.sandbox.junit.KcpConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithKcp
class ModulesTest {
  @Test
  void everythingIsAModule() {
    assertEquals("dev.example.modular", getClass().getModule().getName());
    assertEquals("dev.mooring.sandbox", KcpSandbox.class.getModule().getName());
    assertEquals("dev.mooring.sandbox.junit", WithKcp.class.getModule().getName());
  }

  @Test
  void theLibraryStarts(@TempDir Path directory) {
    try (KcpSandbox sandbox = Servers.start(directory)) {
      assertTrue(sandbox.kubeconfig().contains(sandbox.url().toString()));
    }
  }

  @Test
  void theExtensionGivesAWorkspace(@Workspace("team") KcpConnection team) {
    assertTrue(team.url().getPath().endsWith(":team"));
  }
}
