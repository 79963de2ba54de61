package dev.mooring.sandbox.junit;

import com.github.dockerjava.api.exception.DockerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * kcp's image, run by Testcontainers. Loaded only where {@link ContainerEngine} has one:
 * Testcontainers may be absent.
 */
final class ImageServer implements KcpServer {
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** A directory that the image has for its user. */
  private static final String ROOT = "/.kcp";

  private static final String KUBECONFIG = ROOT + "/admin.kubeconfig";

  private final GenericContainer<?> container;
  private final Path kubeconfig;
  private final KcpConnection admin;
  private final KcpClient client;

  /** The engine must be there. */
  ImageServer(String image) {
    String host = DockerClientFactory.instance().dockerHostIpAddress();
    // The URLs that kcp writes into objects have its port: it must be the same on both sides.
    int port = freePort();
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withCommand(
                "start",
                "--root-directory=" + ROOT,
                "--bind-address=0.0.0.0",
                "--external-hostname=" + host,
                "--secure-port=" + port);
    container.setPortBindings(List.of(port + ":" + port));
    try {
      container.start();
      awaitReady();
      kubeconfig = Files.createTempFile("kcp-", ".kubeconfig");
      container.copyFileFromContainer(KUBECONFIG, kubeconfig.toString());
    } catch (ContainerLaunchException | DockerException | IOException e) {
      container.stop();
      throw new KcpProblem(
          "the image %s does not start as a kcp: %s. Set %s to an image of kcp, such as %s"
              .formatted(image, e.getMessage(), KcpSource.IMAGE, KcpSource.DEFAULT_IMAGE),
          e);
    }
    admin = new KubeconfigReader(kubeconfig).read().at(URI.create("https://" + host + ":" + port));
    client = new KcpClient(admin);
  }

  /** By the kubectl of the image, which has no shell. */
  private void awaitReady() throws IOException {
    long deadline = System.nanoTime() + START.toNanos();
    while (!isReady()) {
      if (!container.isRunning()) {
        throw new ContainerLaunchException("it ended: " + container.getLogs());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ContainerLaunchException("it is not ready after " + START.toSeconds() + " s");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean isReady() throws IOException {
    try {
      return container
              .execInContainer("kubectl", "--kubeconfig=" + KUBECONFIG, "get", "--raw=/readyz")
              .getExitCode()
          == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContainerLaunchException("interrupted while waiting for it", e);
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new KcpProblem("no free port for kcp: " + e.getMessage(), e);
    }
  }

  @Override
  public KcpConnection admin() {
    return admin;
  }

  @Override
  public KcpClient client() {
    return client;
  }

  @Override
  public Path kubeconfigFile() {
    return kubeconfig;
  }

  @Override
  public String afterwards() {
    return "The container ends with the tests. Stop at a breakpoint to look, or run the test with "
        + KcpSource.KUBECONFIG
        + " on a kcp that stays.";
  }

  @Override
  public void close() {
    client.close();
    container.stop();
    try {
      Files.deleteIfExists(kubeconfig);
    } catch (IOException leftInTemporaryDirectory) {
      kubeconfig.toFile().deleteOnExit();
    }
  }
}
