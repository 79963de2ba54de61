package dev.mooring.depwebhook.index;

import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Workspaces of a sandbox, and indexes of them that each test opens itself. */
abstract class OnIndexes {
  static TestWorkspaces workspaces;

  ReferenceIndexes indexes;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @AfterEach
  void closes() {
    indexes.close();
  }
}
