package dev.mooring.model.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspacePathTest {
  @Test
  void leadsFromTheRootToAChildAndBack() {
    WorkspacePath team = WorkspacePath.ROOT.child("org").child("team");

    assertThat(team).hasToString("root:org:team");
    assertThat(team.name()).isEqualTo("team");
    assertThat(team.parent()).contains(new WorkspacePath("root:org"));
    assertThat(WorkspacePath.ROOT.parent()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ":", "root:", ":root", "root::a", "root:UPPER", "root:-a", "a/b", "*"})
  void refusesWhatIsNoPath(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> new WorkspacePath(text));
  }
}
