package dev.mooring.sandbox.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.junit.WithKcp.Kcp;
import dev.mooring.sandbox.junit.WithKcp.Sharing;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** What a test reports that fails, or asks for what cannot be. Each fixture is run by itself. */
class WithKcpFailureIT {
  private static final Set<URI> SERVERS = ConcurrentHashMap.newKeySet();

  private static EngineExecutionResults run(Class<?>... fixtures) {
    SERVERS.clear();
    var kit = EngineTestKit.engine("junit-jupiter");
    for (Class<?> fixture : fixtures) {
      kit.selectors(selectClass(fixture));
    }
    return kit.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter(
            "junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
        .execute();
  }

  private static Throwable failure(EngineExecutionResults results) {
    List<Throwable> failures =
        results.allEvents().failed().stream()
            .map(event -> event.getRequiredPayload(TestExecutionResult.class))
            .map(result -> result.getThrowable().orElseThrow())
            .toList();
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class Fails {
    static String workspace = "";

    @Test
    void fails(WorkspaceTree tree, @Workspace("consumer") KubernetesClient client) {
      workspace = tree.path("consumer");
      throw new AssertionError("expected");
    }
  }

  @Test
  void aFailureSaysWhereTheWorkspacesAreAndHowToLook() throws Exception {
    Throwable failure = failure(run(Fails.class));

    assertThat(failure).hasMessage("expected");
    assertThat(failure.getSuppressed()).hasSize(1);
    assertThat(failure.getSuppressed()[0].toString())
        .startsWith("the workspaces of this test are kept:\n  https://127.0.0.1:")
        .contains("/clusters/" + Fails.workspace + "\n")
        .contains("mooring sandbox");
    Matcher command =
        Pattern.compile("kubectl --kubeconfig (\\S+) --server (\\S+) get …")
            .matcher(failure.getSuppressed()[0].toString());
    assertThat(command.find()).isTrue();
    // The sandbox and its files end with the run.
    assertThat(Files.exists(Path.of(command.group(1)))).isFalse();
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class FailsBefore {
    @BeforeEach
    void fails(WorkspaceTree tree) {
      throw new AssertionError(tree.path());
    }

    @Test
    void never() {}
  }

  @Test
  void aFailureOfALifecycleMethodSaysItToo() {
    Throwable failure = failure(run(FailsBefore.class));

    assertThat(failure.getSuppressed()[0].toString()).contains(failure.getMessage());
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class OfUnknownType {
    @Test
    @Workspace(value = "odd", type = "root:absent")
    void never(WorkspaceTree tree) {}
  }

  @Test
  void anUnknownTypeNamesThoseThatThereAre() {
    assertThat(failure(run(OfUnknownType.class)).getCause())
        .isInstanceOf(KcpProblem.class)
        .message()
        .matches("kcp refuses the workspace root:\\S+:odd of type root:absent: .*")
        .contains("The types of root are ", "universal", "WorkspaceTree.create(path, type)");
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class BelowAWorkspaceThatIsNot {
    @Test
    @Workspace(value = "odd", type = "root:nowhere:absent")
    void never(WorkspaceTree tree) {}
  }

  @Test
  void aTypeOfAnAbsentWorkspaceIsExplained() {
    assertThat(failure(run(BelowAWorkspaceThatIsNot.class)).getCause())
        .message()
        .contains("The types of root:nowhere cannot be listed: ");
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class WithABadName {
    @Test
    void never(@Workspace("My Team") KcpConnection team) {}
  }

  @Test
  void aBadNameSaysWhatIsAllowed() {
    assertThat(failure(run(WithABadName.class)).getCause())
        .message()
        .startsWith("\"My Team\" cannot name a workspace: write lowercase letters");
  }

  @WithKcp(on = Kcp.SANDBOX)
  @Workspace(value = "team", type = "root:team")
  static class WithTwoTypes {
    @Test
    void never(@Workspace(value = "team", type = "root:universal") KcpConnection team) {}
  }

  @Test
  void twoTypesOfOneWorkspaceAreRefused() {
    assertThat(failure(run(WithTwoTypes.class)).getCause())
        .hasMessage(
            "@Workspace(\"team\") has two types, root:team and root:universal: leave out one");
  }

  @WithKcp(on = Kcp.SANDBOX, shards = 2)
  static class OnAnAbsentShard {
    @Test
    void never(@Workspace(value = "far", shard = "shard-7") KcpConnection far) {}
  }

  @Test
  void anAbsentShardNamesThoseThatThereAre() {
    assertThat(failure(run(OnAnAbsentShard.class)).getCause())
        .message()
        .matches(
            "the workspace root:\\S+:far cannot go to the shard shard-7: the kcp at https://\\S+ has"
                + " root, shard-1. More come with @WithKcp\\(shards = …\\)");
  }

  @WithKcp(on = Kcp.SANDBOX)
  static class FailsAfterAll {
    @Test
    void passes() {}

    @AfterAll
    static void fails(@Workspace("left") KcpConnection left) {
      throw new AssertionError("expected");
    }
  }

  @Test
  void aFailureAfterAllTestsSaysWhereItsWorkspacesAre() {
    assertThat(failure(run(FailsAfterAll.class)).getSuppressed()[0].toString())
        .contains("the workspaces of this test are kept:", ":left\n");
  }

  @WithKcp
  static class WithFaultsForAll {
    @Test
    void never(FaultInjector faults) {}
  }

  @Test
  void faultsNeedASandboxOfTheClass() {
    assertThat(failure(run(WithFaultsForAll.class)).getCause())
        .message()
        .endsWith("write @WithKcp(on = Kcp.SANDBOX, sandbox = Sharing.CLASS)");
  }

  @WithKcp(on = Kcp.SANDBOX, sandbox = Sharing.CLASS, shards = 2)
  @TestMethodOrder(MethodOrderer.MethodName.class)
  static class WithFaults {
    @Test
    void firstMeetsThem(FaultInjector faults, KubernetesClient client, KcpShards shards) {
      assertThat(shards.urls()).containsOnlyKeys("root", "shard-1");
      faults.inject(Fault.CONFLICT, 1);
      client.namespaces().withName("default").get();
      SERVERS.add(URI.create("https://" + client.getMasterUrl().getAuthority()));
      assertThat(faults.shouldFail(Fault.CONFLICT, "anyone")).isTrue();
    }

    @Test
    void thenTheyAreOver(FaultInjector faults, KcpConnection connection) {
      assertThat(faults.shouldFail(Fault.CONFLICT, "anyone")).isFalse();
      SERVERS.add(connection.server());
    }
  }

  @WithKcp(on = Kcp.SANDBOX, sandbox = Sharing.CLASS)
  static class RestoresASnapshot {
    @Test
    void bringsBackWhatWasThere(KcpSandbox sandbox, WorkspaceTree tree) {
      tree.create("kept");
      KcpSandbox.Snapshot before = sandbox.snapshot();
      tree.create("kept:gone");

      sandbox.restore(before);

      try (KubernetesClient kept = Fabric8.client(tree.connection("kept"))) {
        assertThat(
                kept.genericKubernetesResources("tenancy.kcp.io/v1alpha1", "Workspace")
                    .list()
                    .getItems())
            .isEmpty();
      }
    }
  }

  @Test
  void aClassGetsItsSandbox() {
    run(RestoresASnapshot.class)
        .testEvents()
        .assertStatistics(events -> events.succeeded(1).failed(0));
  }

  @WithKcp(on = Kcp.SANDBOX, shards = 2)
  static class WithASharedSandbox {
    @Test
    void remembers(KcpConnection connection) {
      SERVERS.add(connection.server());
    }
  }

  @WithKcp(on = Kcp.SANDBOX, shards = 2)
  static class WithTheSameSandbox extends WithASharedSandbox {}

  @Test
  void oneSandboxIsSharedAndAClassCanHaveItsOwn() {
    EngineExecutionResults results =
        run(WithFaults.class, WithASharedSandbox.class, WithTheSameSandbox.class);

    results.testEvents().assertStatistics(events -> events.succeeded(4).failed(0));
    assertThat(SERVERS).hasSize(2);
    assertThat(SERVERS).noneMatch(WithKcpFailureIT::answers);
  }

  @WithKcp(on = Kcp.SANDBOX, shards = 2)
  static class OnBothShards {
    @Test
    void areThere(
        @Workspace(value = "a", shard = "root") KubernetesClient a,
        @Workspace(value = "b", shard = "shard-1") KubernetesClient b) {
      assertThat(List.of(shard(a), shard(b))).containsExactly("root", "shard-1");
    }

    private static String shard(KubernetesClient workspace) {
      return workspace
          .genericKubernetesResources("core.kcp.io/v1alpha1", "LogicalCluster")
          .withName("cluster")
          .get()
          .getMetadata()
          .getAnnotations()
          .get("core.kcp.io/shard");
    }
  }

  @Test
  void aWorkspaceIsOnTheShardOfItsAnnotation() {
    run(OnBothShards.class).testEvents().assertStatistics(events -> events.succeeded(1).failed(0));
  }

  private static boolean answers(URI server) {
    try (var socket = new Socket(server.getHost(), server.getPort())) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }
}
