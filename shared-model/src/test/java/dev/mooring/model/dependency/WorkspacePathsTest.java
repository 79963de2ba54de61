package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.WorkspacePath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkspacePathsTest {
  @ParameterizedTest
  @CsvSource({
    "root:net, root:net, false", "root:net, root:dns, true", "root, root:net, true",
    "root:net, 2hh1nlb5:net, false", "home:alice, root:alice, false", "rooted:a, root:a, false"
  })
  void onlyPathsOfOneRootCertainlyDiffer(String one, String other, boolean differ) {
    assertThat(WorkspacePaths.certainlyDiffer(new WorkspacePath(one), new WorkspacePath(other)))
        .isEqualTo(differ);
  }
}
