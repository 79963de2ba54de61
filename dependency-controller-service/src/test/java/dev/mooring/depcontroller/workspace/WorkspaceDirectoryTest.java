package dev.mooring.depcontroller.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceDirectoryTest {
  private static final WorkspacePath PARENT = new WorkspacePath("root:org");
  private final CountDownLatch end = new CountDownLatch(1);
  @TempDir private Path files;
  private StubServer server;
  private KubeConnection kcp;
  private WorkspaceDirectory directory;

  @BeforeEach
  void serves() {
    server = StubServer.start(this::answer);
    kcp = server.connect(files, "/clusters/root:org", "{}");
    directory = new WorkspaceDirectory(new WorkspaceAccess(kcp, ""), () -> {});
  }

  @AfterEach
  void stops() {
    end.countDown();
    directory.close();
    kcp.close();
    server.close();
  }

  @Test
  void listsEachParentOnceHoweverManyOfItsChildrenAreFollowed() {
    directory.follow(List.of(child("a"), child("b"), child("c"), new WorkspacePath("root:else:a")));

    await().atMost(TestWorkspaces.PATIENCE).until(() -> known(4));

    assertThat(directory.resolutions())
        .containsEntry(child("b"), new Resolution.Known(new LogicalCluster("cluster-b")));
    assertThat(lists()).containsExactlyInAnyOrder("/clusters/root:org", "/clusters/root:else");
  }

  @Test
  void asksNothingForWhatItKnows() {
    directory.follow(List.of(child("a")));
    await().atMost(TestWorkspaces.PATIENCE).until(() -> known(1) && server.asked().size() == 2);

    directory.follow(List.of(child("a"), child("b")));
    directory.follow(List.of(child("b"), child("c")));

    assertThat(known(2)).isTrue();
    assertThat(directory.resolutions())
        .containsEntry(child("c"), new Resolution.Known(new LogicalCluster("cluster-c")));
    assertThat(server.asked()).as("a list and a watch").hasSize(2);
  }

  private boolean known(int paths) {
    return directory.resolutions().values().stream()
            .filter(Resolution.Known.class::isInstance)
            .count()
        == paths;
  }

  private List<String> lists() {
    return server.asked().stream()
        .map(StubServer.Asked::target)
        .filter(target -> !target.contains("watch="))
        .map(target -> target.replaceFirst("/apis/.*", ""))
        .toList();
  }

  private static WorkspacePath child(String name) {
    return PARENT.child(name);
  }

  private void answer(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    if (!asked.target().contains("watch=")) {
      String items =
          Stream.of("a", "b", "c")
              .map(
                  """
                  {"metadata": {"name": "%1$s", "uid": "%1$s", "resourceVersion": "1"},
                   "spec": {"cluster": "cluster-%1$s"}}\
                  """
                      ::formatted)
              .collect(Collectors.joining(","));
      StubServer.reply(
          exchange,
          200,
          "application/json",
          """
          {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "WorkspaceList",
           "metadata": {"resourceVersion": "1"}, "items": [%s]}\
          """
              .formatted(items));
      return;
    }
    exchange.sendResponseHeaders(200, 0);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.close();
  }
}
