package dev.mooring.sandbox.junit;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A sandbox in this JVM, with its files in a temporary directory until it is closed. */
final class SandboxServer implements KcpServer {
  private final Path directory;
  private final KcpSandbox sandbox;
  private final KcpConnection admin;
  private final KcpClient client;

  SandboxServer(int shards) {
    try {
      directory = Files.createTempDirectory("kcp-sandbox-");
    } catch (IOException e) {
      throw new KcpProblem("the sandbox needs a temporary directory: " + e.getMessage(), e);
    }
    sandbox = KcpSandbox.start(ServerOptions.in(directory).withShards(shards));
    KcpConnection root = new KubeconfigReader(sandbox.kubeconfigFile()).read();
    admin = root.at(root.server());
    client = new KcpClient(admin);
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
    return sandbox.kubeconfigFile();
  }

  @Override
  public Optional<KcpSandbox> sandbox() {
    return Optional.of(sandbox);
  }

  @Override
  public String afterwards() {
    return "The sandbox ends with the tests. Stop at a breakpoint to look, or run the test with "
        + KcpSource.KUBECONFIG
        + "=.kcp/admin.kubeconfig on one that stays: mooring sandbox";
  }

  @Override
  public void close() {
    client.close();
    sandbox.close();
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + directory, e);
    }
  }
}
