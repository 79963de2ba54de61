package dev.mooring.depcontroller.workspace;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.workspace.StalledWorkspace.Answer;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceDirectoryTest {
  private static final WorkspacePath PARENT = new WorkspacePath("root:org");
  private static final String ITEMS =
      Stream.of("a", "b", "c")
          .map(
              """
              {"metadata": {"name": "%1$s", "uid": "%1$s", "resourceVersion": "1"},
               "spec": {"cluster": "cluster-%1$s"}}\
              """
                  ::formatted)
          .collect(Collectors.joining(","));
  private final AtomicInteger changes = new AtomicInteger();
  @TempDir private Path files;
  private StalledWorkspace workspace;
  private WorkspaceDirectory directory;

  @BeforeEach
  void serves() {
    workspace = new StalledWorkspace(files, "tenancy.kcp.io/v1alpha1", "WorkspaceList", ITEMS);
    directory = new WorkspaceDirectory(workspace.access(), changes::incrementAndGet);
  }

  @AfterEach
  void stops() {
    directory.close();
    workspace.close();
  }

  @Test
  void listsEachParentOnceHoweverManyOfItsChildrenAreFollowed() {
    directory.follow(List.of(child("a"), child("b"), child("c"), new WorkspacePath("root:else:a")));

    await().until(() -> known(4));

    assertThat(directory.resolutions())
        .containsEntry(child("b"), new Resolution.Known(new LogicalCluster("cluster-b")));
    assertThat(lists()).containsExactlyInAnyOrder("/clusters/root:org", "/clusters/root:else");
  }

  @Test
  void asksNothingForWhatItKnows() {
    directory.follow(List.of(child("a")));
    await().until(() -> known(1) && workspace.asked().size() == 2);

    directory.follow(List.of(child("a"), child("b")));
    directory.follow(List.of(child("b"), child("c")));

    assertThat(known(2)).isTrue();
    assertThat(directory.resolutions())
        .containsEntry(child("c"), new Resolution.Known(new LogicalCluster("cluster-c")));
    assertThat(workspace.asked()).as("a list and a watch").hasSize(2);
  }

  @Test
  void takesNothingForAbsentWhileItsParentCannotBeReadAnyMore() {
    directory.follow(List.of(child("a"), child("made-later")));
    await().until(() -> at("made-later") instanceof Resolution.Absent);

    workspace.refuse();

    await()
        .untilAsserted(() ->
            assertThat(at("made-later"))
                .isInstanceOfSatisfying(
                    Resolution.Unknown.class,
                    unknown ->
                        assertThat(unknown.message())
                            .contains("root:org:made-later cannot be looked up")
                            .contains("let the controller's user get, list and watch")));
    assertThat(at("a")).isEqualTo(new Resolution.Known(new LogicalCluster("cluster-a")));
    assertThat(directory.describe().get("root:org")).contains("cannot be listed");

    changes.set(0);
    workspace.answer(Answer.LIST);

    await().until(() -> changes.get() > 0);
    assertThat(at("made-later")).isInstanceOf(Resolution.Absent.class);
    assertThat(directory.describe()).containsEntry("root:org", "3 workspaces");
  }

  @Test
  void saysOfAParentThatIsNotThereThatItIsMissingAndTakesNothingForAbsent() {
    WorkspacePath path = new WorkspacePath("root:nope:x");
    workspace.answer("root:nope", Answer.NO_SUCH_WORKSPACE);

    assertThat(settled(path))
        .isEqualTo(
            "there is no workspace root:nope (the parent of root:nope:x): create it, or correct"
                + " apiExportRef.path");

    workspace.answer("root:nope", Answer.LIST);

    await().until(() -> directory.resolutions().get(path) instanceof Resolution.Absent);
  }

  @Test
  void namesTheFirstWorkspaceThatIsMissingOnTheWay() {
    for (String missing : List.of("root:a:nope", "root:a:nope:b", "root:a:nope:b:c")) {
      workspace.answer(missing, Answer.NO_SUCH_WORKSPACE);
    }

    assertThat(settled(new WorkspacePath("root:a:nope:b:c:d")))
        .startsWith("there is no workspace root:a:nope (above root:a:nope:b:c:d): create");
  }

  @Test
  void namesTheFirstThatIsSaidToBeMissingWhereThoseAboveMayNotBeListed() {
    workspace.answer(Answer.REFUSAL);
    workspace.answer("root:nope", Answer.NO_SUCH_WORKSPACE);
    workspace.answer("root:nope:a", Answer.NO_SUCH_WORKSPACE);

    assertThat(settled(new WorkspacePath("root:nope:a:x")))
        .startsWith("there is no workspace root:nope (above root:nope:a:x)");
  }

  @Test
  void tellsARefusalOfWhatIsThereFromOneOfWhatIsNot() {
    workspace.answer("root:a", Answer.REFUSAL);
    workspace.answer("root:nope", Answer.REFUSAL); // as a front proxy does
    directory.follow(List.of(new WorkspacePath("root:a:x"), new WorkspacePath("root:nope:x")));

    assertThat(settled(new WorkspacePath("root:a:x")))
        .contains("in workspace root:a let the controller's user get, list and watch")
        .doesNotContain("correct");
    assertThat(settled(new WorkspacePath("root:nope:x")))
        .startsWith("there is no workspace root:n");
  }

  @Test
  void namesBothWhereARefusalMayMeanEither() {
    workspace.answer(Answer.REFUSAL);

    assertThat(settled(new WorkspacePath("root:org:x")))
        .contains("in workspace root:org let the controller's user get, list and watch")
        .endsWith("; or, if there is no such workspace, correct apiExportRef.path");
  }

  @Test
  void saysOfAPathThatDoesNotBeginWithRootWhatItIsTakenFor() {
    workspace.answer(Answer.REFUSAL);

    assertThat(settled(new WorkspacePath("rot:x")))
        .contains("in workspace rot let the controller's user")
        .endsWith(
            "correct apiExportRef.path; rot is taken for the name of a logical cluster: if it is a"
                + " workspace, write apiExportRef.path from root, as in root:…:rot:x");
  }

  @Test
  void doesNotTakeAWorkspaceForMissingThatServesNoWorkspaces() {
    workspace.answer("root:a", Answer.NO_PAGE);

    assertThat(settled(new WorkspacePath("root:a:x")))
        .startsWith("workspace root:a:x cannot be looked up: the workspaces in root:a cannot be")
        .endsWith("404 page not found; if kcp serves none there, correct apiExportRef.path");
  }

  /** What is told of it once all above it have answered. */
  private String settled(WorkspacePath path) {
    return await()
        .until(
            () -> {
              var paths = new TreeSet<>(directory.resolutions().keySet());
              paths.add(path);
              directory.follow(paths);
              return directory.resolutions().get(path) instanceof Resolution.Unknown(var message)
                  ? message
                  : "";
            },
            message -> !message.isEmpty());
  }

  private Resolution at(String name) {
    return directory.resolutions().get(child(name));
  }

  private boolean known(int paths) {
    return directory.resolutions().values().stream()
            .filter(Resolution.Known.class::isInstance)
            .count()
        == paths;
  }

  private List<String> lists() {
    return workspace.asked().stream()
        .filter(target -> !target.contains("watch="))
        .map(target -> target.replaceFirst("/apis/.*", ""))
        .toList();
  }

  private static WorkspacePath child(String name) {
    return PARENT.child(name);
  }
}
