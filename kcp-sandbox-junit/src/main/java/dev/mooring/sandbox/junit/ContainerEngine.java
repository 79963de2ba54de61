package dev.mooring.sandbox.junit;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/** What runs containers. Without Testcontainers this class loads all the same. */
final class ContainerEngine {
  private ContainerEngine() {}

  /** Why no container can run; empty if one can. */
  static Optional<String> missing() {
    try {
      return DockerClientFactory.instance().isDockerAvailable()
          ? Optional.empty()
          : Optional.of("no container engine: start Docker or Podman, or set DOCKER_HOST");
    } catch (NoClassDefFoundError absent) {
      return Optional.of(
          "no Testcontainers: add org.testcontainers:testcontainers to the test's dependencies");
    }
  }
}
