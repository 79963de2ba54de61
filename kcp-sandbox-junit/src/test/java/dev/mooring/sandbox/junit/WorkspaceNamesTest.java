package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.WorkspacePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceNamesTest {
  private static final WorkspacePath TREE = new WorkspacePath("root:tree");

  private static final class HTTPRoutesTest {}

  private static final class A_VeryLongNameOfAClassThatNobodyCanRemember {}

  @Test
  void treesAreNamedAfterTheirTest() {
    assertThat(WorkspaceNames.tree(HTTPRoutesTest.class, "bindsTwice", 35))
        .isEqualTo("httproutes-binds-twice-z");
    assertThat(WorkspaceNames.tree(HTTPRoutesTest.class, null, 36)).isEqualTo("httproutes-10");
    assertThat(WorkspaceNames.tree(HTTPRoutesTest.class, "größe", 35))
        .isEqualTo("httproutes-gr-e-z");
    assertThat(WorkspaceNames.tree(HTTPRoutesTest.class, "__", -1))
        .isEqualTo("httproutes-test-zik0zj");
    assertThat(
            WorkspaceNames.tree(
                A_VeryLongNameOfAClassThatNobodyCanRemember.class, "x".repeat(80), -1))
        .isEqualTo("a-very-long-name-of-acla-" + "x".repeat(24) + "-zik0zj")
        .hasSizeLessThanOrEqualTo(63);
  }

  @Test
  void pathsAreRelativeToTheTree() {
    assertThat(WorkspaceNames.below(TREE, "")).isEqualTo(TREE);
    assertThat(WorkspaceNames.below(TREE, "a:b").value()).isEqualTo("root:tree:a:b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Team", "a_b", ":a", "a:", "a::b", "-a", " "})
  void aBadNameSaysWhatIsAllowed(String name) {
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> WorkspaceNames.below(TREE, name))
        .withMessageStartingWith("\"" + name + "\" cannot name a workspace: write lowercase");
  }

  @ParameterizedTest
  @CsvSource({"root:team, team", "root, ''"})
  void anAbsolutePathSaysWhatToWrite(String path, String instead) {
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> WorkspaceNames.below(TREE, path))
        .withMessageEndingWith("write \"" + instead + "\"");
  }

  @Test
  void aTypeNeedsItsPath() {
    assertThat(WorkspaceNames.type("")).isEmpty();
    assertThat(WorkspaceNames.type("root:team")).contains(new WorkspacePath("root:team"));
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> WorkspaceNames.type("team"))
        .withMessage(
            "the workspace type \"team\" has no path: write \"root:team\" for a type of kcp");
    assertThatExceptionOfType(KcpProblem.class)
        .isThrownBy(() -> WorkspaceNames.type("root:Team"))
        .withMessageStartingWith("\"root:Team\" cannot name a workspace type");
  }
}
