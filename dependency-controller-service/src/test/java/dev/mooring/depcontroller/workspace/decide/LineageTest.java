package dev.mooring.depcontroller.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.decide.Lineage.Rung;
import dev.mooring.depcontroller.workspace.decide.Lineage.Says;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LineageTest {
  private static final WorkspacePath PATH = new WorkspacePath("root:a:b:x");

  @Test
  void looksNoFurtherThanToWhereTheWayEnds() {
    assertThat(of(Map.of("root", Says.LEADS_ON, "root:a", Says.ENDS)).above())
        .containsExactly(
            new Rung(new WorkspacePath("root"), Says.LEADS_ON),
            new Rung(new WorkspacePath("root:a"), Says.ENDS));
    assertThat(of(Map.of("root", Says.PENDING)).above())
        .containsExactly(new Rung(new WorkspacePath("root"), Says.PENDING));
  }

  @ParameterizedTest
  @EnumSource(names = {"GONE", "REFUSES", "CHILDLESS"})
  void isPendingWhileOneAboveMayStillTellMore(Says parent) {
    assertThat(of(Map.of("root", Says.LEADS_ON, "root:a", Says.PENDING, "root:a:b", parent)))
        .matches(Lineage::pending);
    assertThat(of(Map.of("root", Says.SILENT, "root:a", Says.REFUSES, "root:a:b", parent)))
        .matches(lineage -> !lineage.pending());
  }

  @Test
  void doesNotWaitForThoseAboveAParentThatIsOnlyAway() {
    assertThat(of(Map.of("root", Says.PENDING, "root:a:b", Says.SILENT)))
        .matches(lineage -> !lineage.pending());
  }

  @Test
  void saysWhatKcpSaidWhereTheParentIsBothThereAndNot() {
    var torn = Map.of("root", Says.LEADS_ON, "root:a", Says.LEADS_ON, "root:a:b", Says.GONE);

    assertThat(of(torn).why("404"))
        .isEqualTo(
            "workspace root:a:b:x cannot be looked up: the workspaces in root:a:b cannot be"
                + " listed: 404");
  }

  @Test
  void asksNoMoreThanEightAboveTheParent() {
    var deep =
        new WorkspacePath(
            IntStream.range(0, 100).mapToObj(i -> "w" + i).collect(Collectors.joining(":")));

    Lineage lineage = Lineage.of(deep, (_, _) -> Says.REFUSES);

    assertThat(lineage.above()).hasSize(8);
    assertThat(lineage.parent()).isEqualTo(Says.REFUSES);
  }

  private static Lineage of(Map<String, Says> answers) {
    return Lineage.of(PATH, (at, _) -> answers.getOrDefault(at.value(), Says.REFUSES));
  }
}
