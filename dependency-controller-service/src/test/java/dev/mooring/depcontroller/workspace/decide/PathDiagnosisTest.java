package dev.mooring.depcontroller.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.decide.PathDiagnosis.Ancestor;
import dev.mooring.depcontroller.workspace.decide.PathDiagnosis.ParentAnswer;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PathDiagnosisTest {
  private static final WorkspacePath PATH = new WorkspacePath("root:a:b:x");

  @Test
  void looksNoFurtherThanToWhereTheWayEnds() {
    assertThat(of(Map.of("root", ParentAnswer.EXISTS, "root:a", ParentAnswer.MISSING)).above())
        .containsExactly(
            new Ancestor(new WorkspacePath("root"), ParentAnswer.EXISTS),
            new Ancestor(new WorkspacePath("root:a"), ParentAnswer.MISSING));
    assertThat(of(Map.of("root", ParentAnswer.PENDING)).above())
        .containsExactly(new Ancestor(new WorkspacePath("root"), ParentAnswer.PENDING));
  }

  @ParameterizedTest
  @EnumSource(names = {"PARENT_MISSING", "DENIED", "NOT_SERVED_HERE"})
  void isPendingWhileOneAboveMayStillTellMore(ParentAnswer parent) {
    assertThat(
            of(
                Map.of(
                    "root",
                    ParentAnswer.EXISTS,
                    "root:a",
                    ParentAnswer.PENDING,
                    "root:a:b",
                    parent)))
        .matches(PathDiagnosis::pending);
    assertThat(
            of(
                Map.of(
                    "root",
                    ParentAnswer.FAILED,
                    "root:a",
                    ParentAnswer.DENIED,
                    "root:a:b",
                    parent)))
        .matches(diagnosis -> !diagnosis.pending());
  }

  @Test
  void doesNotWaitForThoseAboveAParentThatIsOnlyAway() {
    assertThat(of(Map.of("root", ParentAnswer.PENDING, "root:a:b", ParentAnswer.FAILED)))
        .matches(diagnosis -> !diagnosis.pending());
  }

  @Test
  void saysWhatKcpSaidWhereTheParentIsBothThereAndNot() {
    var torn =
        Map.of(
            "root",
            ParentAnswer.EXISTS,
            "root:a",
            ParentAnswer.EXISTS,
            "root:a:b",
            ParentAnswer.PARENT_MISSING);

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

    PathDiagnosis diagnosis = PathDiagnosis.of(deep, (_, _) -> ParentAnswer.DENIED);

    assertThat(diagnosis.above()).hasSize(8);
    assertThat(diagnosis.parent()).isEqualTo(ParentAnswer.DENIED);
  }

  private static PathDiagnosis of(Map<String, ParentAnswer> answers) {
    return PathDiagnosis.of(PATH, (at, _) -> answers.getOrDefault(at.value(), ParentAnswer.DENIED));
  }
}
