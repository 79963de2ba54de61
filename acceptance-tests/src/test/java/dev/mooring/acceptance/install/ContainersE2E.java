package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.harness.ProjectLayout;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.Container;
import org.testcontainers.containers.ContainerState;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * docker-compose.yml as it is shipped: kcp's published image, and the images that the Dockerfile
 * builds. Needs a container engine with the compose plugin; {@link ComposeIT} runs the same file
 * without one.
 */
class ContainersE2E {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();

  /** Images are built, and kcp's is fetched. */
  private static final Duration START = Duration.ofMinutes(20);

  @BeforeEach
  void needsAnEngine() {
    assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "skipped: there is no container engine");
  }

  @Test
  void kcpsImageAndOursGetReadyAndTheExampleIsComplete() throws Exception {
    try (var compose =
        new ComposeContainer(
            LAYOUT.file("docker-compose.yml").toFile(),
            LAYOUT
                .file("acceptance-tests/src/test/resources/compose-without-ports.yaml")
                .toFile())) {
      compose
          .withBuild(true)
          .withStartupTimeout(START)
          .waitingFor(
              "consumer", Wait.forLogMessage(".*consumer: ready.*", 1).withStartupTimeout(START));
      compose.start();

      for (String service :
          new String[] {"sync-agent", "dependency-controller", "dependency-webhook"}) {
        ContainerState container = compose.getContainerByServiceName(service).orElseThrow();
        assertThat(container.isHealthy()).as(service).isTrue();
        Container.ExecResult user = container.execInContainer("id", "-u");
        assertThat(user.getStdout().strip()).as("user of " + service).isEqualTo("10001");
      }
    }
  }
}
