package dev.mooring.cli.demo;

import dev.mooring.harness.DirectoryLock;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The story from beginning to end, and what comes after it. */
record Demo(ProjectLayout layout, Path directory, PortPlan ports, KcpChoice choice) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** When the demo ends. */
  public enum Ending {
    AFTER_STORY,
    /** Stays up until it is interrupted. */
    ON_SIGNAL
  }

  /** Tells the story; a failed check, request or start is thrown, after everything was stopped. */
  public void run(Narrator narrator, Ending ending) {
    Instant begun = Instant.now();
    try (var lock = DirectoryLock.of(directory);
        var suite = new Suite(layout, lock.directory(), ports, choice);
        var environment = setStage(suite, narrator);
        var _ = DemoRemoval.of(environment);
        var _ =
            new CertificateOperator(
                environment.serviceCluster().client(), directory.resolve("certificate-operator"))) {
      var story = Story.of(environment, narrator, PATIENCE);
      new SetUpChapter(story).tell();
      new CertificateChapter(story).tell();
      new DependencyChapter(story).tell();
      narrator.line("");
      narrator.line(
          "All "
              + narrator.steps()
              + " steps were checked and held, in "
              + Narrator.seconds(Duration.between(begun, Instant.now()))
              + ".");
      switch (ending) {
        case AFTER_STORY -> narrator.line("Everything that was started is being stopped.");
        case ON_SIGNAL -> {
          new DependencyChapter(story).rebuild();
          NextSteps.print(environment, narrator);
          suite.superviseUntilInterrupted(narrator::line);
        }
      }
    }
  }

  private DemoEnvironment setStage(Suite suite, Narrator narrator) {
    narrator.chapter("kcp and a service cluster");
    suite.launchClusters();
    String which =
        switch (choice) {
          case KcpChoice.Sandbox(int shards) ->
              shards == 1
                  ? "kcp starts: the sandbox, a process of its own"
                  : "kcp starts: the sandbox with " + shards + " shards";
          case KcpChoice.Existing(Path file) -> "kcp is there: the one of " + file;
        };
    narrator.step(which, () -> narrator.remark(suite.awaitKcp().server() + " is ready"));
    narrator.step(
        "The service cluster starts: the sandbox as a plain Kubernetes API server",
        () -> narrator.remark(suite.awaitServiceCluster().server() + " is ready"));
    return new DemoEnvironment(suite, org(), suite.awaitKcp(), suite.awaitServiceCluster());
  }

  /** On a kcp of other people the story's workspaces have a unique name. */
  private WorkspacePath org() {
    return switch (choice) {
      case KcpChoice.Sandbox(int _) -> WorkspacePath.ROOT.child("demo");
      case KcpChoice.Existing(Path _) ->
          WorkspacePath.ROOT.child(
              "mooring-demo-" + Long.toString(Instant.now().toEpochMilli(), 36));
    };
  }
}
