package dev.mooring.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a kcp that was there before, with no authority for users of the services. */
class GrantsIT {
  @TempDir private Path directory;

  @Test
  void createsTheNamespacesAlsoWhereTheServicesAreTheAdministrator() {
    try (KcpSandbox kcp = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")));
        var suite =
            new Suite(
                ProjectLayout.find(),
                directory.resolve("suite"),
                PortPlan.STANDARD,
                new KcpChoice.Existing(kcp.kubeconfigFile()))) {
      assumeThat(suite.userInKcp(Program.DEPENDENCY_CONTROLLER)).isEmpty();
      Kubeconfig admin = Kubeconfig.read(kcp.kubeconfigFile());
      try (var environment =
          new DemoEnvironment(suite, WorkspacePath.ROOT.child("org"), admin, admin)) {
        var narrator =
            new Narrator(new PrintStream(OutputStream.nullOutputStream()), Narrator.Look.PLAIN);
        var story = Story.of(environment, narrator, Duration.ofSeconds(60));
        workspace(story, environment.parent(), "org");
        workspace(story, environment.orgPlace(), "dependencies");

        new Grants(environment, story.kubectl()).dependencyServices();

        assertThat(
                environment.dependencies().client().list(Types.NAMESPACES, ListQuery.ALL).items())
            .extracting(KubeObject::name)
            .contains("dependency-system", "dependency-races");
      }
    }
  }

  private static void workspace(Story story, ClusterClient parent, String name) {
    story.createWorkspace(parent, name);
    story.awaitWorkspace(parent, name);
  }
}
